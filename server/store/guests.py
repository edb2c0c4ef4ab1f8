"""Friendly names for guests who gave none, in their language; every one passes the name rules."""

from __future__ import annotations

import secrets

WORDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "en": (
        (
            "Bright",
            "Brave",
            "Calm",
            "Clever",
            "Cosy",
            "Gentle",
            "Happy",
            "Jolly",
            "Kind",
            "Lively",
            "Lucky",
            "Merry",
            "Nimble",
            "Patient",
            "Quick",
            "Sunny",
        ),
        (
            "Badger",
            "Bear",
            "Crane",
            "Deer",
            "Dolphin",
            "Fox",
            "Hare",
            "Hedgehog",
            "Heron",
            "Magpie",
            "Otter",
            "Owl",
            "Rabbit",
            "Sparrow",
            "Squirrel",
            "Turtle",
        ),
    ),
    "ko": (
        (
            "밝은",
            "용감한",
            "차분한",
            "똑똑한",
            "포근한",
            "다정한",
            "행복한",
            "유쾌한",
            "친절한",
            "활발한",
            "운 좋은",
            "즐거운",
            "날쌘",
            "느긋한",
            "재빠른",
            "씩씩한",
        ),
        (
            "오소리",
            "곰",
            "두루미",
            "사슴",
            "돌고래",
            "여우",
            "토끼",
            "고슴도치",
            "왜가리",
            "까치",
            "수달",
            "부엉이",
            "다람쥐",
            "참새",
            "거북이",
            "제비",
        ),
    ),
    "ja": (
        (
            "明るい",
            "勇敢な",
            "穏やかな",
            "かしこい",
            "ほがらかな",
            "やさしい",
            "幸せな",
            "陽気な",
            "親切な",
            "元気な",
            "幸運な",
            "楽しい",
            "身軽な",
            "のんきな",
            "すばやい",
            "のどかな",
        ),
        (
            "アナグマ",
            "クマ",
            "ツル",
            "シカ",
            "イルカ",
            "キツネ",
            "ウサギ",
            "ハリネズミ",
            "サギ",
            "カササギ",
            "カワウソ",
            "フクロウ",
            "リス",
            "スズメ",
            "カメ",
            "ツバメ",
        ),
    ),
}
"""By language: what an animal is like, and the animals."""


def name(locale: str, attempt: int = 0) -> str:
    """A name by lot; each further attempt adds a number of one more digit, so that one is free."""
    likes, animals = WORDS.get(locale, WORDS["en"])
    gap = "" if locale == "ja" else " "
    made = secrets.choice(likes) + gap + secrets.choice(animals)
    return made if attempt == 0 else f"{made} {secrets.randbelow(10 ** min(attempt, 6)) + 2}"
