"""The SDK against the recorded exchanges."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clients.python.replay import Replay

TRANSCRIPTS = sorted((Path(__file__).parents[2] / "transcripts").glob("*.jsonl"))


def test_there_are_transcripts() -> None:
    assert len(TRANSCRIPTS) >= 2


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: str(path.stem))
async def test_the_client_does_and_knows_what_the_transcript_says(path: Path) -> None:
    await Replay(path).run()
