"""Which names a player may have, when two of them look the same, and what chat may carry.

After UAX 15 (NFKC), UTS 39 (restriction to one script, skeletons) and UTR 36 (no invisible or bidi
characters). Pure: the tables are read once, at import.
"""

from __future__ import annotations

import unicodedata

from confusable_homoglyphs.categories import alias
from confusable_homoglyphs.confusables import confusables_data

MAX_LENGTH = 24
MIN_LETTERS = 2
MAX_MARKS = 2

TOGETHER = (
    {"HAN", "HIRAGANA", "KATAKANA"},
    {"HANGUL", "HAN"},
    {"HAN", "BOPOMOFO"},
)
"""Scripts that one language writes together, which count as one (UTS 39, section 5.1)."""

# Default_Ignorable_Code_Point of the Unicode Character Database, which `unicodedata` does not know.
IGNORABLE = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
BIDI = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}

SENTENCES: dict[str, dict[str, str]] = {
    "en": {
        "name_length": f"A name has at most {MAX_LENGTH} characters.",
        "name_character": "A name has no control, invisible or direction characters.",
        "name_letters": f"A name has at least {MIN_LETTERS} letters.",
        "name_scripts": "A name is written in one script.",
        "name_marks": f"A letter of a name carries at most {MAX_MARKS} marks.",
        "name_taken": "This name is taken, or looks like one that is.",
    },
    "ko": {
        "name_length": f"이름은 {MAX_LENGTH}자까지 쓸 수 있습니다.",
        "name_character": "이름에는 제어 문자, 보이지 않는 문자, 방향 문자를 쓸 수 없습니다.",
        "name_letters": f"이름에는 글자가 {MIN_LETTERS}자 이상 있어야 합니다.",
        "name_scripts": "이름은 한 가지 문자로 써야 합니다.",
        "name_marks": f"이름의 한 글자에는 부호를 {MAX_MARKS}개까지 붙일 수 있습니다.",
        "name_taken": "이미 쓰고 있는 이름이거나 그와 비슷해 보이는 이름입니다.",
    },
    "ja": {
        "name_length": f"名前は{MAX_LENGTH}文字までです。",
        "name_character": "名前に制御文字、見えない文字、方向を変える文字は使えません。",
        "name_letters": f"名前には文字が{MIN_LETTERS}つ以上必要です。",
        "name_scripts": "名前は一種類の文字で書いてください。",
        "name_marks": f"名前の一文字につけられる記号は{MAX_MARKS}つまでです。",
        "name_taken": "この名前はすでに使われているか、使われている名前と見分けがつきません。",
    },
}
"""By language: the sentence of each refusal."""


class NameRefused(ValueError):
    """A name that nobody may have. key: which rule refuses it, a key of SENTENCES."""

    def __init__(self, key: str) -> None:
        super().__init__(SENTENCES["en"][key])
        self.key = key


def clean_name(text: str) -> str:
    """The name as it is kept: NFKC, outer blanks gone, inner ones single. Raises NameRefused."""
    if any(_hidden(char) for char in text):
        raise NameRefused("name_character")
    name = " ".join(part for part in unicodedata.normalize("NFKC", text).split(" ") if part)
    if any(_hidden(char) for char in name):
        raise NameRefused("name_character")
    if len(name) > MAX_LENGTH:
        raise NameRefused("name_length")
    if sum(unicodedata.category(char).startswith("L") for char in name) < MIN_LETTERS:
        raise NameRefused("name_letters")
    if not _one_script(name):
        raise NameRefused("name_scripts")
    if _most_marks(name) > MAX_MARKS:
        raise NameRefused("name_marks")
    return name


def skeleton(name: str) -> str:
    """What a name looks like: two names with the same skeleton are not told apart (UTS 39, section 4).

    The letters' case is folded at the end, so that most names that differ only by it are one, too.
    """
    text = unicodedata.normalize("NFD", name)
    text = "".join(_PROTOTYPES.get(char, char) for char in text)
    return unicodedata.normalize("NFD", text).casefold()


def clean_chat(text: str) -> str:
    """The text without control and bidi characters; a line break becomes a blank. May be empty."""
    kept = (
        " " if char in "\t\n\r\u2028\u2029" else char
        for char in text
        if char in "\t\n\r" or not (unicodedata.category(char) in ("Cc", "Cs") or ord(char) in BIDI)
    )
    return " ".join("".join(kept).split())


def _hidden(char: str) -> bool:
    # C*: control, format, surrogate, private use, unassigned; Zl, Zp: line and paragraph ends.
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return True
    return any(first <= ord(char) <= last for first, last in IGNORABLE)


def _one_script(name: str) -> bool:
    scripts = {alias(char) for char in name} - {"COMMON", "INHERITED"}
    return len(scripts) <= 1 or any(scripts <= together for together in TOGETHER)


def _most_marks(name: str) -> int:
    most = count = 0
    for char in unicodedata.normalize("NFD", name):
        count = count + 1 if unicodedata.category(char).startswith("M") else 0
        most = max(most, count)
    return most


def _prototypes() -> dict[str, str]:
    """Each confusable character -> the one that stands for all that look alike.

    The library's data are stars: a prototype lists its sources, a source its prototype alone; of a
    pair, either may stand for both. The direction marks that its right-to-left rows carry are not
    part of them.
    """
    data = {
        _bare(key): [_bare(each["c"]) for each in found] for key, found in confusables_data.items()
    }
    made: dict[str, str] = {}
    for char, others in data.items():
        if len(char) != 1 or len(others) != 1:
            continue
        (other,) = others
        if len(data.get(other, ())) > 1 or len(other) > 1 or other < char:
            made[char] = other
    return made


def _bare(text: str) -> str:
    return text.replace("\u200e", "")


_PROTOTYPES: dict[str, str] = _prototypes()
