"""Games that live outside `engines/`; they are added by name, as anybody may add one."""
