"""What the terminal itself says, and the words of its own commands, in every language.

What happens in a game is said by the server; no sentence here puts a particle after a name.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

LOCALES = ("en", "ko", "ja")

_EN = {
    "welcome": "Hanpan.",
    "menu.play": "Enter: play {title} with bots now.",
    "menu.game": "{number}: {title}.",
    "menu.more": "t: open tables. q: quit.",
    "menu.what": "Type a number, t or q, or just Enter.",
    "tables.none": "There are no open tables.",
    "tables.one": "{number}: {title}, {ruleset}, {speed}, {taken} of {seats} seats taken.",
    "tables.which": "Type a number to sit down, w and a number to watch, or Enter to go back.",
    "table.made": "Table {table}. Invite: {invite}.",
    "table.open": "Table {table}. Waiting for others.",
    "table.back": "You still have a seat; going back to it.",
    "help": "Type what you play: its tiles or cards in any order, such as 5 5 or 3 4 x, or a word such as "
    "pass, mine or decline. legal tells what is possible now. "
    "Ask: hand, table, who, last, counts, time, score. "
    "Also: players, again, chat and a text, ready, withdraw, auto, rematch, hear, quit.",
    "hello": "Type help for the commands.",
    "lost": "The connection is lost. Coming back by itself.",
    "back": "Connected again.",
    "taken": "Your seat was taken over from another connection.",
    "stood": "Your seat was given up while you were away; you are only watching now. quit: leave.",
    "closed": "The table is closed.",
    "stopped": "The connection has ended: {why}",
    "bye": "Bye.",
    "ended": "The match is over. rematch: another one. quit: leave.",
    "held": "Held until the window closes; withdraw takes it back.",
    "sealed": "Your claim is in.",
    "withdrawn": "Taken back.",
    "standing": "Standing order taken.",
    "standing.off": "Standing orders taken back.",
    "standing.how": "Type auto, an action and auto or tiles: auto ron auto, auto mine 7, "
    "auto decline return; auto off.",
    "choose": "There are several readings. Type a number:",
    "choose.one": "{number}: {action}.",
    "unclear.word": "The word {word} is not known here. Type help.",
    "unclear.turn": "That is not possible now. It is not your turn.",
    "unclear.action": "No legal action is like that. Type legal.",
    "players.one": "{seat}: {name}, {state}.",
    "state.open": "free", "state.here": "here", "state.away": "away", "state.left": "left",
    "state.bot": "bot",
    "chat": "{name}: {text}",
    "watching": "You are watching.",
    "hear": "You hear {level} and above.",
    "hear.how": "Type hear high, hear normal or hear low.",
    "level.high": "what is urgent", "level.normal": "what matters", "level.low": "everything",
    "frozen": "The table stands still for a moment.",
    "wrong": "That did not work: {why}",
    "nothing": "Nothing to tell.",
}  # fmt: skip
_KO = {
    "welcome": "한판입니다.",
    "menu.play": "엔터: {title}, 봇과 바로 시작.",
    "menu.game": "{number}: {title}.",
    "menu.more": "t: 열린 테이블. q: 끝내기.",
    "menu.what": "번호나 t, q를 입력하세요. 그냥 엔터도 됩니다.",
    "tables.none": "열린 테이블이 없습니다.",
    "tables.one": "{number}: {title}, {ruleset}, {speed}, {seats}자리 중 {taken}자리 참.",
    "tables.which": "앉으려면 번호, 관전하려면 w와 번호, 돌아가려면 엔터를 입력하세요.",
    "table.made": "테이블 {table}. 초대 코드: {invite}.",
    "table.open": "테이블 {table}. 다른 사람을 기다립니다.",
    "table.back": "앉아 있던 자리가 있습니다. 그 자리로 돌아갑니다.",
    "help": "낼 것을 입력하세요. 패나 카드는 순서와 상관없이 5 5, 3 4 x처럼, 그 밖에는 패스, 마인, 안함 같은 말로 "
    "입력합니다. 가능이라고 하면 지금 할 수 있는 것을 알려 줍니다. "
    "질문: 손패, 바닥, 누구, 마지막, 개수, 시간, 점수. "
    "그 밖에: 사람, 다시듣기, 채팅과 할 말, 준비, 취소, 자동, 재경기, 듣기, 나가기.",
    "hello": "명령을 들으려면 도움말을 입력하세요.",
    "lost": "연결이 끊겼습니다. 자동으로 다시 연결합니다.",
    "back": "다시 연결되었습니다.",
    "taken": "다른 연결에서 이 자리를 이어받았습니다.",
    "stood": "떨어져 있는 동안 자리를 잃어, 지금은 관전 중입니다. 나가기: 테이블 떠나기.",
    "closed": "테이블이 닫혔습니다.",
    "stopped": "연결이 끝났습니다: {why}",
    "bye": "안녕히 가세요.",
    "ended": "경기가 끝났습니다. 재경기: 한 번 더. 나가기: 테이블 떠나기.",
    "held": "기회가 닫힐 때까지 맡아 둡니다. 취소하면 되돌립니다.",
    "sealed": "선언을 접수했습니다.",
    "withdrawn": "되돌렸습니다.",
    "standing": "자동 지시를 접수했습니다.",
    "standing.off": "자동 지시를 모두 거두었습니다.",
    "standing.how": "자동, 행동, 그리고 자동이나 패를 입력하세요: 자동 론 자동, 자동 마인 7, "
    "자동 안함 리턴. 모두 거두기: 자동 끄기.",
    "choose": "여러 가지로 읽을 수 있습니다. 번호를 입력하세요:",
    "choose.one": "{number}: {action}.",
    "unclear.word": "모르는 말입니다: {word}. 도움말을 입력해 보세요.",
    "unclear.turn": "지금은 할 수 없습니다. 차례가 아닙니다.",
    "unclear.action": "그렇게 낼 수 없습니다. 가능을 입력해 보세요.",
    "players.one": "{seat}: {name}, {state}.",
    "state.open": "빈자리", "state.here": "있음", "state.away": "자리 비움",
    "state.left": "떠남", "state.bot": "봇",
    "chat": "{name}: {text}",
    "watching": "관전 중입니다.",
    "hear": "지금부터 듣는 것: {level}.",
    "hear.how": "듣기 중요, 듣기 보통, 듣기 모두 가운데 하나를 입력하세요.",
    "level.high": "급한 것만", "level.normal": "중요한 것", "level.low": "모두",
    "frozen": "테이블이 잠시 멈췄습니다.",
    "wrong": "되지 않았습니다: {why}",
    "nothing": "알릴 것이 없습니다.",
}  # fmt: skip
_JA = {
    "welcome": "ハンパンです。",
    "menu.play": "エンター：{title}をボットとすぐに始めます。",
    "menu.game": "{number}：{title}。",
    "menu.more": "t：空いているテーブル。q：終了。",
    "menu.what": "番号、t、qのどれかを入力してください。エンターだけでもかまいません。",
    "tables.none": "空いているテーブルはありません。",
    "tables.one": "{number}：{title}、{ruleset}、{speed}、{seats}席中{taken}席。",
    "tables.which": "座るには番号、観戦するにはwと番号、戻るにはエンターを入力してください。",
    "table.made": "テーブル{table}。招待コード：{invite}。",
    "table.open": "テーブル{table}。ほかの人を待っています。",
    "table.back": "座っていた席があります。その席に戻ります。",
    "help": "出すものを入力してください。牌やカードは順番に関係なく5 5や3 4 xのように、ほかはパス、マイン、しないのような"
    "言葉で入力します。可能と入力すると、今できることをお知らせします。"
    "質問：手牌、場、誰、最後、枚数、時間、得点。"
    "ほかに：参加者、もう一度、チャットと言葉、準備、取消、自動、再戦、聞く、終了。",
    "hello": "コマンドを聞くにはヘルプと入力してください。",
    "lost": "接続が切れました。自動でつなぎ直します。",
    "back": "接続が戻りました。",
    "taken": "別の接続がこの席を引き継ぎました。",
    "stood": "離れている間に席がなくなり、いまは観戦中です。終了：テーブルを離れる。",
    "closed": "テーブルは閉じられました。",
    "stopped": "接続が終わりました：{why}",
    "bye": "さようなら。",
    "ended": "試合が終わりました。再戦：もう一試合。終了：テーブルを離れる。",
    "held": "機会が閉じるまで預かります。取消で戻せます。",
    "sealed": "宣言を受け付けました。",
    "withdrawn": "取り消しました。",
    "standing": "自動の指示を受け付けました。",
    "standing.off": "自動の指示をすべて取り消しました。",
    "standing.how": "自動、行動、そして自動か牌を入力してください：自動 ロン 自動、自動 マイン 7、"
    "自動 しない リターン。すべて取り消すには：自動 オフ。",
    "choose": "読み方がいくつかあります。番号を入力してください：",
    "choose.one": "{number}：{action}。",
    "unclear.word": "知らない言葉です：{word}。ヘルプと入力してください。",
    "unclear.turn": "今はできません。あなたの番ではありません。",
    "unclear.action": "そのような手はありません。可能と入力してください。",
    "players.one": "{seat}：{name}、{state}。",
    "state.open": "空席", "state.here": "在席", "state.away": "離席", "state.left": "退席",
    "state.bot": "ボット",
    "chat": "{name}：{text}",
    "watching": "観戦中です。",
    "hear": "これから聞くもの：{level}。",
    "hear.how": "聞く 重要、聞く 普通、聞く 全部のどれかを入力してください。",
    "level.high": "急ぎのものだけ", "level.normal": "大事なもの", "level.low": "すべて",
    "frozen": "テーブルが少しの間止まっています。",
    "wrong": "うまくいきませんでした：{why}",
    "nothing": "お知らせはありません。",
}  # fmt: skip
TEXTS: Mapping[str, Mapping[str, str]] = {"en": _EN, "ko": _KO, "ja": _JA}

COMMANDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "help": "help", "?": "help", "quit": "quit", "q": "quit", "exit": "quit", "chat": "chat",
        "say": "chat", "ready": "ready", "rematch": "rematch", "start": "start", "again": "again",
        "withdraw": "withdraw", "undo": "withdraw", "auto": "auto", "players": "players",
        "hear": "hear", "off": "off", "high": "high", "normal": "normal", "low": "low",
    },
    "ko": {
        "도움말": "help", "도움": "help", "나가기": "quit", "끝": "quit", "채팅": "chat",
        "말": "chat", "준비": "ready", "재경기": "rematch", "재대결": "rematch", "시작": "start", "다시듣기": "again",
        "다시": "again", "취소": "withdraw", "자동": "auto", "사람": "players", "듣기": "hear",
        "끄기": "off", "중요": "high", "보통": "normal", "모두": "low",
    },
    "ja": {
        "ヘルプ": "help", "終了": "quit", "チャット": "chat", "準備": "ready", "再戦": "rematch",
        "開始": "start", "もう一度": "again", "取消": "withdraw", "取り消し": "withdraw",
        "自動": "auto", "参加者": "players", "聞く": "hear", "オフ": "off", "重要": "high",
        "普通": "normal", "全部": "low",
    },
}  # fmt: skip


class Phrases:
    """The terminal's sentences and command words in one language."""

    def __init__(self, locale: str) -> None:
        self.locale = locale if locale in TEXTS else "en"
        self._texts = TEXTS[self.locale]
        self._commands = {**COMMANDS["en"], **COMMANDS[self.locale]}

    def __call__(self, key: str, **params: Any) -> str:
        """The sentence of this key."""
        return self._texts[key].format(**params)

    def command(self, word: str) -> str | None:
        """The command that a word means."""
        return self._commands.get(word.casefold())


def system_locale() -> str:
    """The language of the user's environment, English where it is none of ours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        language = os.environ.get(name, "")[:2].lower()
        if language in LOCALES:
            return language
    return "en"
