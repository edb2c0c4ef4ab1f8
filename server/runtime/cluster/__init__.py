"""Several processes, one lobby: any connection may play at any table, and any process may die.

A table's owner does the rules; a connection's own process (its gateway) decodes, limits, and writes.
Between them go numbered packets over the bus (`link`); whatever the bus loses is repaired: requests are
repeated until they are answered (`gateway`), streams by their numbers, and tables whose owner is gone
are taken over by whoever is first (`owners`).
"""
