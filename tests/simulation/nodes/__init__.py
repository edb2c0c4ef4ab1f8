"""Three processes, one Redis, their network and SDK clients in one process on one seeded loop.

The processes are whole hubs with the Redis journal, the Redis bus and the cluster as they are; only the
connections to Redis and what is behind them are simulated (`redis`, `scripts`, `wires`).
"""
