"""A server, its journal, the network and SDK clients in one process on one seeded loop whose time jumps."""
