"""What every game must keep, checked on random matches of any game that meets the contract.

    report = check_game(game, playouts=200)            the whole suite; raises Violation
    check_match(game, key, report)                     one random match under all checks
    check_statics(game)                                names, pieces, rulesets, catalogs, words
    check_deck(game, key)                              explicit deals, for every number of seats
    check_bots(game, level, key)                       a match that bots of one level play

Beyond the contract's own words, the suite holds a game to this: `fold` leaves the view that it is given
unchanged; `settle` with no claims gives events whenever it changes a view; `view.hand` is the seat's entry
of `hands` while the match runs; the events in `Game.reveals` are the only ones through which two worlds
that a viewer could not tell apart may part.
"""

from __future__ import annotations

import string

from engines.kit.botplay import bot_step, check_bots
from engines.kit.contract import Refused
from engines.kit.dealer import Dealer
from engines.kit.registry import AnyGame
from engines.kit.stream import Stream
from engines.kit.text import LOCALES
from engines.kit.trial import Trial, check_refusal
from engines.kit.violations import Report, Violation, need, tag


def placeholders(template: str) -> set[str]:
    """The names that a template of `str.format` fills in."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def check_catalog(game: AnyGame) -> None:
    """The same keys in every language, with the same parameters, none of them empty."""
    languages = game.text.catalog.languages
    need(set(languages) == set(LOCALES), f"{game.name}: languages of the catalog", set(languages))
    english = languages["en"]
    for locale, catalog in languages.items():
        odd = set(catalog) ^ set(english)
        need(not odd, f"{game.name}: keys that {locale} or en lacks", sorted(odd))
        for key, template in catalog.items():
            need(bool(template.strip()), f"{game.name}: empty sentence in {locale}", key)
            same = placeholders(template) == placeholders(english[key])
            need(same, f"{game.name}: parameters of {key} in {locale} differ from en", template)


def check_statics(game: AnyGame) -> None:
    """Name, seats, pieces, rulesets, catalogs, words and bots are there and fit together."""
    need(game.name.isidentifier() and game.name.islower(), "a game's name is a snake_case word")
    need(bool(game.version), f"{game.name}: no version")
    need(1 <= game.min_seats <= game.max_seats, f"{game.name}: seats")
    need("standard" in game.rulesets, f"{game.name}: no ruleset called standard")
    need({"random", "steady"} <= set(game.bots), f"{game.name}: bots", list(game.bots))
    check_catalog(game)
    for name, ruleset in game.rulesets.items():
        options = game.options(name)
        need(options == ruleset.options, f"{game.name}: options of {name} change when built")
        need(ruleset.fixed <= set(type(options).__struct_fields__), f"{name}: fixed fields")
        need(bool(game.pieces(options)), f"{game.name}: no pieces under {name}")
    for locale in LOCALES:
        need(bool(game.text.title(locale)), f"{game.name}: no title in {locale}")
        need(bool(game.text.words.get(locale)), f"{game.name}: no words in {locale}")
        for piece in sorted(set(game.pieces(game.options()))):
            need(bool(game.text.piece(piece, locale)), f"{game.name}: unspoken piece", piece)
    try:
        game.check_orders({"no_such_order": True})
    except Refused as refused:
        check_refusal(game, refused)
    else:
        raise Violation(f"{game.name}: accepts standing orders that it cannot know")
    game.check_orders({})


def check_match(game: AnyGame, key: bytes, report: Report) -> None:
    """One random match under every check; options, seats and choices follow from the key."""
    Trial(game, key, report).play()


def check_deck(game: AnyGame, key: bytes) -> None:
    """An explicit deck deals the same hands whatever the key, for every number of seats."""
    options = game.options()
    for seats in range(game.min_seats, game.max_seats + 1):
        deck = list(game.pieces(options))
        Stream(key, "explicit").shuffle(deck)
        one, _ = game.start(options, seats, Dealer(key, [deck], first=0))
        two, _ = game.start(options, seats, Dealer(key[::-1], [deck], first=0))
        need(game.hands(one) == game.hands(two), f"{game.name}: an explicit deck is not followed")


def check_game(
    game: AnyGame, playouts: int, seed: bytes = b"conformance", start: int = 0
) -> Report:
    """The whole suite; match i has the key seed + i, so a failing one can be played alone."""
    check_statics(game)
    report = Report()
    for number in range(start, start + playouts):
        key = seed + number.to_bytes(4, "big")
        check_match(game, key, report)
        if number % 20 == 0:
            check_deck(game, key)
            for level in game.bots:
                check_bots(game, level, key)
    return report


__all__ = [
    "Report",
    "Violation",
    "bot_step",
    "check_bots",
    "check_catalog",
    "check_deck",
    "check_game",
    "check_match",
    "check_refusal",
    "check_statics",
    "tag",
]
