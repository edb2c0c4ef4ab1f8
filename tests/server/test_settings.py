"""Settings from environment and flags, and the README's table of them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from server.settings import HELP, SettingError, Settings, names, read, table

README = Path(__file__).parents[2] / "README.md"


def test_defaults() -> None:
    assert read({}) == Settings()


def test_the_environment_sets_every_kind_of_field() -> None:
    settings = read({"HANPAN_PORT": "9000", "HANPAN_REUSE_PORT": "yes", "HANPAN_DATA": "/d"})
    assert (settings.port, settings.reuse_port, settings.data) == (9000, True, "/d")


def test_a_flag_wins_over_the_environment() -> None:
    assert read({"HANPAN_PORT": "9000"}, port=9001, data=None).port == 9001


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"HANPAN_PORT": "http"}, "HANPAN_PORT"),
        ({"HANPAN_PORT": "70000"}, "HANPAN_PORT"),
        ({"HANPAN_CHAT": "-1"}, "HANPAN_CHAT"),
        ({"HANPAN_REUSE_PORT": "perhaps"}, "HANPAN_REUSE_PORT"),
        ({"HANPAN_LOG_LEVEL": "loud"}, "HANPAN_LOG_LEVEL"),
        ({"HANPAN_TRUSTED_PROXIES": "10.0.0.0/8,proxy"}, "HANPAN_TRUSTED_PROXIES"),
    ],
)
def test_a_bad_value_names_its_variable(environment: dict[str, str], named: str) -> None:
    with pytest.raises(SettingError, match=named):
        read(environment)


def test_lists_are_split_at_commas() -> None:
    assert names(" a, b,,c ") == ["a", "b", "c"]


def test_every_setting_is_explained() -> None:
    assert set(HELP) == {field.name for field in msgspec.structs.fields(Settings)}


def test_the_readme_has_the_table_of_all_settings() -> None:
    assert table() in README.read_text()
