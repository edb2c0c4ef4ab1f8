"""Load tests: each module with a `main` is one command, e.g. `python -m loadtests.closed`."""
