"""What holds for every test."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# How long an example takes tells of the machine's other work, not of the code.
settings.register_profile("hanpan", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("hanpan")
