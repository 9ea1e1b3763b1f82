"""The words of Chinese texts, which stand without spaces, and which of them are names. Must not know tools.

By jieba's dictionary and hidden Markov model (rjieba); text of other scripts comes back in words as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from nodes._support.language.entities import Entity
from nodes._support.language.languages import FOLDER

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_PEOPLE, _PLACES, _BODIES = ("nr", "nrt", "nrfg"), ("ns",), ("nt",)
_NAMES = (*_PEOPLE, *_PLACES, *_BODIES)
_SUBJECTS = (*_NAMES, "n", "nz", "vn", "an", "l", "i", "j", "eng")
_IN_ADDRESSES = frozenset("ns nz n nr m q eng x f s a b".split())  # noqa: SIM905


_ENDS_WITH_VERB = re.compile("..[说是在住问叫对把被给也都就很于从]")
"""What the model takes for a name of three letters, though the last begins what is said of it: no name ends with it."""
SURNAMES = (
    "欧阳|司马|上官|诸葛|夏侯|东方|皇甫|尉迟|公孙|慕容|令狐|司徒|"
    "[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖\u8427田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢傅姜崔钟谭陆"
    "汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫\u960e段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤安施洪温季\u4fde鲁葛\u6bd5\u8042\u7fdf\u502a颜\u6a0a\u5e9e\u9a86"
    "柯\u9c8d祝柳涂齐牛\u962e凌霍\u803f关兰\u88f4\u5cb3]"
)
_SURNAME = re.compile(SURNAMES)
_GIVEN_TAGS = frozenset("nr nrfg nrt ns nz a z t i b an".split())  # noqa: SIM905
"""How the dictionary tags words that are given as names too, such as 浩然 and 建国."""
_FOREIGN = re.compile(
    "[阿埃奥巴贝比布查达德蒂迪尔法费弗夫戈格哈赫霍基吉加杰卡科克肯拉莱朗雷里利莉鲁伦罗洛"
    "马玛曼梅米蒙莫姆娜南内尼诺帕佩皮普乔切萨塞桑沙史斯丝索塔泰坦汤特提托瓦威维温沃西希亚扬叶伊英约兹·]{3,}"
)
_NEVER_GIVEN = frozenset("的了是在和与或也都就而之这那有不我你他她们上下中前后右左太很最更为从到对被把吗呢吧啊着过")
_LEADING = frozenset("由为是给被让请对跟和与找叫")
"""Begin what the model tears off a name: 由谢 小明."""
_COUNTED = re.compile(r"[\d一二两三四五六七八九十百几每这那各]$")
_PLACE = re.compile(".+[省市县区州镇乡村岛山江河湖海洋港湾路街国]$")


class Word(NamedTuple):
    """A word with its part of speech, as the ICTCLAS tags name it, and where it begins."""

    text: str
    tag: str
    position: int

    @property
    def is_subject(self) -> bool:
        """Whether it may say what a text is about: nouns, names, and verbs in the place of nouns."""
        return self.tag in _SUBJECTS and len(self.text) > 1

    @property
    def is_name(self) -> bool:
        """Whether it is a person, a place or an organisation."""
        return self.tag in _NAMES and len(self.text) > 1 and is_in(self.text)


def is_in(text: str) -> bool:
    """True where there is a Chinese character."""
    return bool(_HAN.search(text))


def words(text: str) -> list[Word]:
    """Words, numbers and marks in their order. What the dictionary takes for a name though it is a common word, or
    the model though no name is so written, is tagged as a noun."""
    import rjieba

    found: list[Word] = []
    for word, tag in _joined(list(_parts(rjieba.tag(text)))):
        position = found[-1].position + len(found[-1].text) if found else 0
        counted = bool(found) and word[0] in "张段方" and _COUNTED.search(found[-1].text) is not None
        is_no_name = (tag in _PEOPLE and (counted or not _is_person(word))) or (
            tag in (*_PLACES, *_BODIES) and not _is_place(word)
        )
        found.append(Word(word, "n" if is_no_name else tag, position))
    return found


def _parts(tagged: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The words, with what the model glued to a name apart from it."""
    import rjieba

    for word, tag in tagged:
        if tag in _PEOPLE and _ENDS_WITH_VERB.fullmatch(word):
            yield from ((word[:-1], tag), (word[-1], "v"))
        elif len(word) == 2 and word[0] in _LEADING and _SURNAME.match(word[1]) and not rjieba.has_word(word):
            yield from ((word[0], "p"), (word[1], "nr"))
        else:
            yield word, tag


def _joined(parts: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """With a surname and the given name behind it as one: 林 卫东. The surname is tagged as one, or the other is."""
    place = 0
    while place < len(parts):
        word, tag = parts[place]
        given, kind = parts[place + 1] if place + 1 < len(parts) else ("", "")
        is_surname = len(word) == 1 and _SURNAME.match(word) and len(given) == 2 and not _NEVER_GIVEN & set(given)
        if is_surname and (kind in ("nr", "nrfg", "nz") or (tag in ("nr", "zg", "ng") and kind in _GIVEN_TAGS)):
            yield word + given, "nr"
            place += 2
        else:
            yield word, tag
            place += 1


def _is_person(word: str) -> bool:
    if word in _no_names():
        return False
    if _FOREIGN.fullmatch(word):
        return True
    return len(word) <= 4 and _SURNAME.match(word) is not None and not _NEVER_GIVEN & set(word[1:])


def _is_place(word: str) -> bool:
    import rjieba

    return word not in _no_names() and (rjieba.has_word(word) or _PLACE.fullmatch(word) is not None)


@cache
def _no_names() -> frozenset[str]:
    """Common words that jieba's dictionary tags as people or places."""
    return frozenset((FOLDER / "names" / "no_names.txt").read_text("utf-8").split())


def places(text: str) -> list[Entity]:
    """Places, each of kind "place"."""
    found = words(text) if is_in(text) else []
    return [Entity("place", word.text, word.position) for word in found if word.tag in _PLACES]


def address_start(text: str) -> int:
    """Where an address begins that the text ends with: behind the last word that stands in none, such as a verb."""
    found = words(text)
    last = max((i for i, word in enumerate(found[:-1]) if word.tag not in _IN_ADDRESSES), default=-1)
    rest = found[last + 1 :]
    first = next((word for word in rest if word.tag in _PLACES), rest[0] if rest else None)
    return first.position if first is not None else 0
