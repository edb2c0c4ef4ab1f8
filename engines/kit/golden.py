"""Golden games: matches as readable text, in `engines/<game>/playthroughs/*.txt`, that replay to the letter.

A file begins with a title and a header (`game`, `ruleset`, `options`, `seats`, `key`, perhaps `first` and
one `deck` a line). Lines with `>` are the calls: a turn action of a seat, `claim` to have a claim judged,
`settle` to end the open offer. What they lead to is indented: events, the spectator's sentences, what is
refused and why, whose turn it is. Write only header and calls by hand; `--write` fills in the rest.

    python -m engines.kit.golden                     check every game's files
    python -m engines.kit.golden --write FILE ...    play the files' calls again and write the result
    python -m engines.kit.golden --new FILE GAME --title T [--level steady] [--seats 4] [--key HEX]
                                 [--ruleset R] [--options JSON]
"""

from __future__ import annotations

import argparse
import difflib
import inspect
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from engines.kit.botplay import bot_step
from engines.kit.contract import Action, Event, Refused
from engines.kit.dealer import Dealer
from engines.kit.playout import Step, take
from engines.kit.registry import AnyGame, load
from engines.kit.stream import Stream
from engines.kit.text import Listener

NAMES = ("Ann", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")
SHOWN = 8
"""How many legal actions a position lists by name."""


class GoldenError(ValueError):
    """A file that is no golden game; the message says which line is wrong."""


class Script(msgspec.Struct):
    """What a golden game is played from: header and calls, each call a line without its `>`."""

    title: str
    game: str
    ruleset: str = "standard"
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    seats: int = 2
    key: str = "00"
    first: int | None = None
    decks: list[list[str]] = msgspec.field(default_factory=list)
    calls: list[str] = msgspec.field(default_factory=list)


def folder(game: AnyGame) -> Path:
    """Where the game's golden games are."""
    return Path(inspect.getfile(type(game))).parent / "playthroughs"


def files(game: AnyGame) -> list[Path]:
    """The game's golden games."""
    return sorted(folder(game).glob("*.txt"))


# -- reading -----------------------------------------------------------------------------------------
def parse(text: str) -> Script:
    """The script of a golden game. Raises GoldenError."""
    lines = text.splitlines()
    if not lines:
        raise GoldenError("an empty file is no golden game")
    script = Script(title=lines[0], game="")
    for number, line in enumerate(lines[1:], 2):
        word, _, rest = line.partition(" ")
        try:
            if line.startswith("> "):
                script.calls.append(line[2:])
            elif word == "options":
                script.options = msgspec.json.decode(rest, type=dict[str, Any])
            elif word in ("seats", "first"):
                setattr(script, word, int(rest))
            elif word in ("game", "ruleset", "key"):
                setattr(script, word, rest)
            elif word == "deck":
                script.decks.append(rest.split())
            elif line and not line.startswith("  ") and word not in ("start", "end"):
                raise ValueError("it is neither header, call nor indented")
        except ValueError as error:
            raise GoldenError(f"line {number}: {error}") from error
    return script


# -- playing -----------------------------------------------------------------------------------------
class _Telling:
    """Plays a script and tells what happens, line by line."""

    def __init__(self, game: AnyGame, script: Script) -> None:
        self.game = game
        self.script = script
        self.dealer = Dealer(bytes.fromhex(script.key), script.decks, script.first)

    def lines(self) -> Iterator[str]:
        game, script = self.game, self.script
        yield from header(script)
        options = game.options(script.ruleset, script.options)
        self.state, events = game.start(options, script.seats, self.dealer)
        yield "start"
        yield from self.told(events)
        yield from self.position()
        for call in script.calls:
            yield ""
            yield f"> {call}"
            yield from self.called(call)
        yield ""
        yield "end"
        outcome = game.outcome(self.state)
        yield f"  finished {outcome.finished}, scores {outcome.scores}, places {outcome.places}"
        for seat, hand in enumerate(game.hands(self.state)):
            yield f"  hand {seat}: {' '.join(hand)}".rstrip()
        yield f"  view {_json(game.view(self.state, None))}"

    def called(self, call: str) -> Iterator[str]:
        game = self.game
        word, _, rest = call.partition(" ")
        try:
            if word == "claim":
                seat, _, action = rest.partition(" ")
                judged = game.claim(self.state, int(seat), self.action(action))
                yield f"  rank {judged.rank}, {'valid' if judged.valid else 'false'}"
                return
            if word == "settle":
                pairs = msgspec.json.decode(rest, type=list[tuple[int, msgspec.Raw]])
                claims = tuple((seat, self.action(raw)) for seat, raw in pairs)
                step = Step(claims=claims)
            else:
                step = Step(int(word), self.action(rest))
            events = take(game, self.state, self.dealer, step)
        except Refused as refused:
            sentence = game.text.refusal(refused.rule, refused.params, "en")
            yield f"  refused, {refused.code}: {sentence}"
            return
        except (ValueError, msgspec.MsgspecError) as error:
            raise GoldenError(f"> {call}: {error}") from error
        yield from self.told(events)
        yield from self.position()

    def action(self, raw: str | msgspec.Raw) -> Action:
        action: Action = msgspec.json.decode(raw, type=self.game.actions)
        return action

    def told(self, events: Iterable[Event]) -> Iterator[str]:
        listener = Listener("en", NAMES[: self.script.seats])
        view = self.game.view(self.state, None)
        for event in events:
            yield f"  {_json(event)}"
            shown = self.game.redact(event, None)
            if shown is not None:
                sentence = self.game.text.event(shown, listener, view)
                if sentence is not None:
                    yield f'  "{sentence.text}"'

    def position(self) -> Iterator[str]:
        game, state = self.game, self.state
        offer = game.offer(state)
        if offer is not None:
            can = [str(seat) for seat in game.order(state, offer.opener) if game.can(state, seat)]
            yield f"  open: {', '.join(offer.kinds)}; could claim: {', '.join(can) or 'nobody'}"
        seat = game.turn(state)
        if seat is not None:
            legal = game.legal(state, seat)
            words = [game.text.action(action, "en") for action in legal.actions[:SHOWN]]
            more = " and more" if legal.more or len(legal.actions) > SHOWN else ""
            yield f"  turn {seat}, {len(legal.actions)} actions: {'; '.join(words)}{more}"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def header(script: Script) -> Iterator[str]:
    """The lines before the start."""
    yield script.title
    yield ""
    yield f"game {script.game}"
    yield f"ruleset {script.ruleset}"
    yield f"options {_json(script.options)}"
    yield f"seats {script.seats}"
    yield f"key {script.key}"
    if script.first is not None:
        yield f"first {script.first}"
    for deck in script.decks:
        yield f"deck {' '.join(deck)}"
    yield ""


def replay(game: AnyGame, script: Script) -> str:
    """The whole text of the golden game, as played now. Raises GoldenError."""
    return "\n".join(_Telling(game, script).lines()) + "\n"


def difference(game: AnyGame, path: Path) -> str:
    """How the file differs from the game as played now; empty where it does not."""
    text = path.read_text(encoding="utf-8")
    now = replay(game, parse(text))
    lines = difflib.unified_diff(text.splitlines(), now.splitlines(), str(path), "now", lineterm="")
    return "\n".join(lines)


# -- writing -----------------------------------------------------------------------------------------
def play(game: AnyGame, script: Script, level: str) -> Script:
    """The script with the calls of a whole match that bots of one level play."""
    dealer = Dealer(bytes.fromhex(script.key), script.decks, script.first)
    options = game.options(script.ruleset, script.options)
    state, _ = game.start(options, script.seats, dealer)
    streams = [Stream(dealer.key, f"bot:{seat}") for seat in range(script.seats)]
    calls = []
    while not game.outcome(state).finished:
        step = bot_step(game, state, [game.bots[level]] * script.seats, streams)
        if step.action is not None:
            calls.append(f"{step.seat} {_json(step.action)}")
        else:
            calls.append(f"settle {_json(step.claims)}")
        take(game, state, dealer, step)
    return msgspec.structs.replace(script, calls=calls)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m engines.kit.golden", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--write", nargs="+", type=Path, metavar="FILE", default=[])
    parser.add_argument("--new", nargs=2, metavar=("FILE", "GAME"))
    parser.add_argument("--title", default="A match of bots")
    parser.add_argument("--level", default="steady")
    parser.add_argument("--ruleset", default="standard")
    parser.add_argument("--options", default="{}")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--key", default="5e" * 32)
    return parser.parse_args()


def main() -> int:
    """Check, write or make golden games; 0 if all went well, 1 where a file differs."""
    arguments = _arguments()
    games = load()
    if arguments.new:
        path, name = arguments.new
        script = Script(
            title=arguments.title,
            game=name,
            ruleset=arguments.ruleset,
            options=msgspec.json.decode(arguments.options, type=dict[str, Any]),
            seats=arguments.seats,
            key=arguments.key,
        )
        script = play(games[name], script, arguments.level)
        Path(path).write_text(replay(games[name], script), encoding="utf-8")
        return 0
    for path in arguments.write:
        script = parse(path.read_text(encoding="utf-8"))
        path.write_text(replay(games[script.game], script), encoding="utf-8")
    differing = 0
    for game in games.values():
        for path in files(game):
            found = difference(game, path)
            differing += bool(found)
            print(found or f"{path.name}: as written")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
