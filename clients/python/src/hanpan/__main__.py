"""`python -m hanpan …`: look at a server, watch a table, seat a bot."""

import sys

from hanpan.cli import main

sys.exit(main(sys.argv[1:]))
