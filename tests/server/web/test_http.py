"""The HTTP side: guests, games, tables, records, schemas, problems."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from server.app import build_app, build_hub
from server.runtime.hub import Hub
from server.settings import Settings


@pytest.fixture
async def http(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    hub = build_hub(Settings(data=str(tmp_path_factory.mktemp("data")), guests_per_minute=6))
    await hub.start()
    async with client(hub) as found:
        yield found
    await hub.stop()


def client(hub: Hub) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(build_app(hub))
    return httpx.AsyncClient(transport=transport, base_url="http://hanpan.test")


async def test_a_guest_with_a_name(http: httpx.AsyncClient) -> None:
    made = await http.post("/v1/guests", json={"name": "민지", "locale": "ko"})
    assert made.status_code == 201
    assert made.json()["player"]["name"] == "민지"
    assert made.json()["player"]["guest"] is True
    assert len(made.json()["token"]) >= 43


async def test_a_guest_without_a_name_gets_one(http: httpx.AsyncClient) -> None:
    made = await http.post("/v1/guests")
    assert made.status_code == 201
    assert made.json()["player"]["name"]


@pytest.mark.parametrize(
    ("body", "named"),
    [
        (b"[]", "object"),
        (b'{"name":5}', "name"),
        (b'{"nick":"a"}', "nick"),
        (b'{"name":"\\u0000\\u202e"}', "name"),
        (b"{" * 300, "object"),
    ],
)
async def test_a_bad_body_is_a_problem_that_names_it(
    http: httpx.AsyncClient, body: bytes, named: str
) -> None:
    found = await http.post("/v1/guests", content=body)
    assert found.status_code == 400
    assert found.headers["content-type"] == "application/problem+json"
    problem = found.json()
    assert problem["code"] == "bad_message"
    assert named in problem["detail"]


async def test_a_body_that_is_too_large_is_a_problem(http: httpx.AsyncClient) -> None:
    found = await http.post("/v1/guests", content=b'{"name":"' + b"x" * 5_000 + b'"}')
    assert found.status_code == 413
    assert found.json()["code"] == "too_large"


async def test_a_taken_name_is_a_problem(http: httpx.AsyncClient) -> None:
    await http.post("/v1/guests", json={"name": "Sparrow"})
    again = await http.post("/v1/guests", json={"name": "Sparrow"})
    assert again.status_code == 400
    assert "taken" in again.json()["detail"]


async def test_an_address_that_makes_too_many_guests_waits(http: httpx.AsyncClient) -> None:
    answers = [await http.post("/v1/guests") for _ in range(7)]
    assert [a.status_code for a in answers] == [201] * 6 + [429]
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert answers[-1].json()["after_ms"] > 0


@pytest.mark.parametrize(
    "path",
    ["/v1/tables/t_none", "/v1/records/m_none", "/v1/schema/chess.json", "/v1/nothing"],
)
async def test_what_is_not_there_is_a_problem(http: httpx.AsyncClient, path: str) -> None:
    found = await http.get(path)
    assert found.status_code == 404
    assert found.json()["code"] == "not_found"


async def test_filters_of_tables_are_checked(http: httpx.AsyncClient) -> None:
    none = {"tables": [], "more": False}
    assert (await http.get("/v1/tables", params={"game": "peeper"})).json() == none
    assert (await http.get("/v1/tables", params={"skip": 100})).json() == none
    assert (await http.get("/v1/tables", params={"skip": -1})).status_code == 400
    assert (await http.get("/v1/tables", params={"open": "true"})).status_code == 200
    assert (await http.get("/v1/tables", params={"speed": "warp"})).status_code == 400


async def test_every_origin_may_call(http: httpx.AsyncClient) -> None:
    found = await http.get("/v1/games", headers={"origin": "https://elsewhere.example"})
    assert found.headers["access-control-allow-origin"] == "*"
    asked = await http.options("/v1/guests", headers={"origin": "https://elsewhere.example"})
    assert "POST" in asked.headers["access-control-allow-methods"]


async def test_a_token_is_ended_for_good_by_who_has_it(http: httpx.AsyncClient) -> None:
    made = (await http.post("/v1/guests")).json()
    mine = {"authorization": f"Bearer {made['token']}"}
    ended = await http.delete("/v1/token", headers=mine)
    assert (ended.status_code, ended.json()) == (200, {"player": made["player"]["id"]})
    again = await http.delete("/v1/token", headers=mine)
    assert (again.status_code, again.json()["code"]) == (401, "bad_token")
    asked = await http.options("/v1/token", headers={"origin": "https://elsewhere.example"})
    assert "DELETE" in asked.headers["access-control-allow-methods"]
    assert "authorization" in asked.headers["access-control-allow-headers"]


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Basic abc", "Bearer \xff"])
async def test_no_token_ends_nothing(http: httpx.AsyncClient, header: str | None) -> None:
    headers = {} if header is None else {b"authorization": header.encode("latin-1")}
    found = await http.request("DELETE", "/v1/token", headers=headers)
    assert (found.status_code, found.json()["code"]) == (401, "bad_token")


async def test_guessed_tokens_have_to_wait_and_known_ones_do_not(http: httpx.AsyncClient) -> None:
    made = (await http.post("/v1/guests")).json()
    guess = {"authorization": "Bearer guess"}
    codes = [(await http.delete("/v1/token", headers=guess)).json()["code"] for _ in range(6)]
    assert codes == ["bad_token"] * 5 + ["rate_limited"]
    mine = {"authorization": f"Bearer {made['token']}"}
    assert (await http.delete("/v1/token", headers=mine)).status_code == 200


async def test_a_schema_can_be_read(http: httpx.AsyncClient) -> None:
    assert (await http.get("/v1/schema/peeper.json")).json()["game"] == "peeper"
