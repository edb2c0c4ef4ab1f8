"""`python -m hanpan_terminal`."""

import sys

from hanpan_terminal.main import main

sys.exit(main())
