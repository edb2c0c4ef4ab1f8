"""Random options and actions of a game, made from its types alone."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any, cast

import msgspec
from msgspec import inspect

from engines.kit.contract import Action, OptionError
from engines.kit.registry import AnyGame
from engines.kit.stream import Stream


@lru_cache(maxsize=64)
def _type_info(kind: Hashable) -> inspect.Type:
    # msgspec works it out anew each time, which takes longer than a match's step.
    return inspect.type_info(kind)


def random_value(kind: inspect.Type, pieces: tuple[str, ...], stream: Stream) -> Any:
    """A value of the type, as on the wire; strings without a closed set of values are pieces."""
    if isinstance(kind, inspect.UnionType):
        return random_value(stream.choice(kind.types), pieces, stream)
    if isinstance(kind, inspect.LiteralType):
        return stream.choice(kind.values)
    if isinstance(kind, inspect.EnumType):
        return stream.choice([member.value for member in kind.cls])
    if isinstance(kind, inspect.BoolType):
        return stream.below(2) == 1
    if isinstance(kind, inspect.IntType):
        low = kind.ge if kind.ge is not None and kind.ge > -100 else -1
        high = kind.le if kind.le is not None and kind.le < 100_000 else 20
        return low + stream.below(max(1, high - low + 1))
    if isinstance(kind, inspect.ListType | inspect.VarTupleType):
        return [random_value(kind.item_type, pieces, stream) for _ in range(stream.below(5))]
    if isinstance(kind, inspect.TupleType):
        return [random_value(item, pieces, stream) for item in kind.item_types]
    if isinstance(kind, inspect.StrType):
        return stream.choice(pieces)
    if isinstance(kind, inspect.NoneType):
        return None
    raise TypeError(f"an action or option of a game has a field of type {kind}")


def random_action(game: AnyGame, pieces: tuple[str, ...], stream: Stream) -> Action | None:
    """An action with random fields; None where the fields' limits forbid what was drawn."""
    union = _type_info(game.actions)
    members = union.types if isinstance(union, inspect.UnionType) else (union,)
    chosen = stream.choice(members)
    assert isinstance(chosen, inspect.StructType)
    values: dict[str, Any] = {"type": chosen.tag}
    for field in chosen.fields:
        if field.required or stream.below(2):
            values[field.encode_name] = random_value(field.type, pieces, stream)
    try:
        action: Action = msgspec.convert(values, game.actions)
    except msgspec.ValidationError:
        return None
    return action


def random_options(game: AnyGame, stream: Stream) -> tuple[str, Any]:
    """A ruleset and its options, mostly defaults, some at their limits and some anywhere between."""
    ruleset = stream.choice(sorted(game.rulesets))
    info = _type_info(cast("Hashable", game.Options))
    assert isinstance(info, inspect.StructType)
    given: dict[str, Any] = {}
    for field in info.fields:
        if field.name in game.rulesets[ruleset].fixed or stream.below(5) < 3:
            continue
        kind = field.type
        at_minimum = isinstance(kind, inspect.IntType) and kind.ge is not None and stream.below(6)
        if at_minimum:
            given[field.encode_name] = kind.ge  # type: ignore[attr-defined]  # narrowed above
        else:
            given[field.encode_name] = random_value(kind, (), stream)
    try:
        return ruleset, game.options(ruleset, given)
    except OptionError:
        return ruleset, game.options(ruleset)
