"""The close codes that the transport itself gives (the application gives the other 40xx)."""

from __future__ import annotations

NORMAL = 1000
PROTOCOL_ERROR = 1002
"""Frames that break RFC 6455."""
NO_STATUS = 1005
"""The peer's close frame named no code."""
ABNORMAL = 1006
"""The line broke without a close frame."""
INVALID_TEXT = 1007
"""Text that is not UTF-8."""
TOO_BIG = 1009
"""A message above the limit, or in too many fragments; it was not read."""
INTERNAL = 1011
"""The server failed; resume."""

DRAINING = 4001
"""The process stops; resume."""
BAD_FRAME = 4002
"""A binary message; stop."""
TOO_FAST = 4005
"""Above the rate of frames or of control frames; wait and resume."""
VERSION = 4006
"""No subprotocol of ours among those offered; stop."""
TOO_SLOW = 4007
"""Too much is unsent; resume."""
