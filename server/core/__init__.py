"""The pure table core: time is an argument, chance a key, and nothing is read or written."""
