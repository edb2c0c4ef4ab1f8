"""Tests of `rediss://`: both ways to Redis encrypt, and neither talks to whom it cannot check."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from server.bus.redis import RedisBus
from server.journal.base import JournalError
from server.journal.redis import RedisJournal
from tests.server.bus.contract import until
from tests.server.journal.contract import append, batch
from tests.support.needs import not_run
from tests.support.proxy import Proxy
from tests.support.redis_server import RedisServer, redis_server


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of 127.0.0.1, with its key beside it as `.key`."""
    openssl = shutil.which("openssl")
    if openssl is None:
        not_run("no openssl here to make a certificate; .ci/setup installs it")
    made = tmp_path_factory.mktemp("tls") / "cert.pem"
    command = f"{openssl} req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    command += f" -subj /CN=test -addext subjectAltName=IP:127.0.0.1 -out {made} -keyout {made}.key"
    subprocess.run(command.split(), check=True, capture_output=True)
    return made


@pytest.fixture
async def tls(server: RedisServer, certificate: Path) -> AsyncIterator[Proxy]:
    """Redis behind TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, f"{certificate}.key")
    async with Proxy(server.port, context) as proxy:
        yield proxy


async def test_journal_and_bus_work_over_tls(tls: Proxy, certificate: Path) -> None:
    url = f"rediss://127.0.0.1:{tls.port}/0?ssl_ca_certs={certificate}"
    journal, bus = RedisJournal(url), RedisBus(url)
    await journal.start()
    await bus.start()
    await journal.create("t_a", "n1")
    assert await append(journal, batch("t_a", 1, 1, b"x")) == [None]
    seen: list[bytes] = []
    bus.subscribe("a", seen.append)
    await bus.settle()
    bus.publish("a", b"x")
    await until(lambda: seen == [b"x"])
    await bus.stop()
    await journal.stop()


async def test_a_certificate_that_nobody_vouches_for_is_refused(tls: Proxy) -> None:
    with pytest.raises(JournalError, match=r"(?i)certificate"):
        await RedisJournal(f"rediss://127.0.0.1:{tls.port}/0").start()
