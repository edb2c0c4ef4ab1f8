"""`make cluster N=2`: that many processes around a Redis of their own, on one port, with players.

N (2), PORT (8000), TABLES (4). Ends with Ctrl-C.
"""

from __future__ import annotations

import asyncio
import os
import sys

from tests.server.cluster.processes import cluster, crowd_at


async def main() -> None:
    """Until it is interrupted."""
    count, port = int(os.environ.get("N", "2")), int(os.environ.get("PORT", "8000"))
    tables = int(os.environ.get("TABLES", "4"))
    with cluster(count, one_port=True, port=port, lease_ms=5_000) as nodes:
        print(f"{count} processes at {nodes[0].url}, Redis at {nodes.redis.url}", flush=True)
        for server in nodes.servers:
            print(f"process {server.pid}: kill it, and its tables go on", flush=True)
        print("Ctrl-C ends them all.", flush=True)
        async with crowd_at(nodes, tables, clients=6, pace_s=2.0) as crowd:
            while True:
                await asyncio.sleep(10)
                crowd.check()
                print(f"{len(crowd.acked)} actions at {len(crowd.tables)} tables", flush=True)


def run() -> int:
    """Until Ctrl-C; 1 if it could not begin, e.g. as the port is taken."""
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        print("\nAll have ended.")
    except AssertionError as error:
        print(f"hanpan: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(run())
