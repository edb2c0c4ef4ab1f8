"""What a server's /metrics say."""

from __future__ import annotations

import math

from prometheus_client.parser import text_string_to_metric_families

from tests.support.hanpan_server import HanpanServer
from tests.support.wire import get


class Metrics(dict[str, float]):
    """Every sample by its name, with a refusal's code after it: `hanpan_refusals_total{not_found}`.

    buckets: of each histogram, (upper bound, how many at most that), in order.
    """

    buckets: dict[str, list[tuple[float, float]]]

    @classmethod
    async def of(cls, server: HanpanServer) -> Metrics:
        """As they are now."""
        return cls.parsed((await get(f"{server.url}/metrics"))["text"])

    @classmethod
    def parsed(cls, text: str) -> Metrics:
        """Out of the text of the endpoint."""
        found = cls()
        found.buckets = {}
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                if "le" in sample.labels:
                    bound = (float(sample.labels["le"]), sample.value)
                    found.buckets.setdefault(family.name, []).append(bound)
                else:
                    code = "".join(f"{{{v}}}" for k, v in sample.labels.items() if k == "code")
                    found[sample.name + code] = sample.value
        return found

    def quantile(self, histogram: str, share: float) -> float:
        """The bound of the bucket in which this share of what was measured is reached."""
        rows = self.buckets[histogram]
        return next((le for le, count in rows if count >= share * rows[-1][1]), math.inf)
