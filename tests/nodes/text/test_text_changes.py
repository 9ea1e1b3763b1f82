"""Tools that change, count or compare text."""

from __future__ import annotations

import itertools
import re

import pytest

from nodes.api import NodeError, RunContext
from nodes.text.anonymise_text import anonymise_text
from nodes.text.change_case import change_case
from nodes.text.clean_text import clean_text
from nodes.text.count_words import count_words
from nodes.text.entities import entities
from nodes.text.find_replace import find_replace
from nodes.text.format_text import format_text
from nodes.text.readability import readability
from nodes.text.sort_lines import sort_lines
from nodes.text.subtitles_from_text import subtitles_from_text
from nodes.text.text_similarity import text_similarity
from nodes.text.text_statistics import text_statistics
from tests.nodes.text_samples import CHINESE, SOLAR

LETTER = """Dear Ms. Anna Huber, please call +49 30 1234567 or (555) 123-4567 before March 12, 2024 at 5:30 pm. The
invoice of $1,234.56 (about 12 million euros, 19 %) is at https://example.com/pay?id=3. Write to
bob.miller@example.co.uk.
Yesterday Bob Miller met Huber in New York. Card 4111 1111 1111 1111, account DE89 3704 0044 0532 0130 00, host
192.168.0.1. We had 42 apples."""


def test_entities_of_a_letter_are_found_by_kind():
    found = {(row[0], row[1]) for row in entities(LETTER).rows}
    assert {
        ("name", "Ms. Anna Huber"), ("name", "Bob Miller"), ("name", "New York"), ("phone", "+49 30 1234567"),
        ("phone", "(555) 123-4567"), ("date", "March 12, 2024"), ("time", "5:30 pm"), ("money", "$1,234.56"),
        ("money", "12 million euros"), ("percent", "19 %"), ("url", "https://example.com/pay?id=3"),
        ("mail", "bob.miller@example.co.uk"), ("card", "4111 1111 1111 1111"),
        ("iban", "DE89 3704 0044 0532 0130 00"), ("ip", "192.168.0.1"), ("number", "42"),
    } <= found  # fmt: skip
    assert not {row for row in found if row[0] == "name"} & {("name", "Dear"), ("name", "Yesterday"), ("name", "The")}


def test_entities_stand_where_the_table_says():
    for _, text, _, position in entities(LETTER).rows:
        assert LETTER[position : position + len(text)] == text


def test_entities_of_other_languages():
    german = {
        tuple(row[:2]) for row in entities("Am 3. Mai 2024 um 14:30 Uhr traf Frau Dr. Müller in Köln 20 Prozent.").rows
    }
    assert {
        ("date", "3. Mai 2024"),
        ("time", "14:30 Uhr"),
        ("name", "Frau Dr. Müller"),
        ("percent", "20 Prozent"),
    } <= german
    french = {tuple(row[:2]) for row in entities("Le 14 juillet 2023, M. Jean Dupont a payé 20 euros à Paris.").rows}
    assert {("date", "14 juillet 2023"), ("name", "Jean Dupont"), ("money", "20 euros"), ("name", "Paris")} <= french
    assert ("date", "2024年3月12日") in {tuple(row[:2]) for row in entities("会议在2024年3月12日举行。").rows}
    dates = [row[1] for row in entities("李女士5月3日来，12月15号走，共13月薪。").rows if row[0] == "date"]
    assert dates == ["5月3日", "12月15号"]


def test_entities_of_one_kind_and_of_none():
    assert [row[1] for row in entities(LETTER, "mail").rows] == ["bob.miller@example.co.uk"]
    assert entities("nothing here at all").rows == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Sarah called me. Then Tom wrote. Nobody came.", ("Sarah", "Tom")),
        ("Gestern hat Klaus angerufen. Sabine war im Urlaub. Der Zug kam spät.", ("Klaus", "Sabine")),
        ("Marie est venue hier. Ensuite Pierre a téléphoné.", ("Marie", "Pierre")),
    ],
)
def test_given_names_are_hidden_where_a_capital_says_nothing(text: str, names: tuple[str, ...]):
    hidden = anonymise_text(text)
    assert not any(name in hidden for name in names) and hidden.count("[name") == len(names), hidden


def test_anonymised_letter_holds_no_personal_data_and_keeps_the_rest():
    hidden = anonymise_text(LETTER)
    for secret in ("Huber", "Miller", "1234567", "123-4567", "example", "4111", "3704", "192.168"):
        assert secret not in hidden
    assert "March 12, 2024" in hidden and "42 apples" in hidden and "$1,234.56" in hidden
    assert hidden.count("[name 1]") == 2, "Ms. Anna Huber and Huber are one person"


@pytest.mark.parametrize(
    ("text", "secrets", "kept"),
    [
        (
            "Ich heiße Sabine Köhler, geboren am 12.03.1984, und wohne in der Lindenstraße 17a, 50674 Köln. Mein "
            "Bruder lebt in Düsseldorf, Am Alten Markt 3. Die Rechnung vom 02.05.2024 ist bezahlt.",
            ("Sabine", "Köhler", "12.03.1984", "Lindenstra", "17a", "50674", "Köln", "Düsseldorf"),
            ("02.05.2024", "Rechnung", "Bruder"),
        ),
        (
            "姓名：王小明，手机13812345678，身份证号110101199003077758，住在北京市朝阳区建国路88号5楼。李娜女士的电话是010-62345678。"
            "会议在下午三点开始。",
            ("王小明", "13812345678", "110101199003077758", "朝阳", "建国路", "88", "李娜", "62345678", "北京"),
            ("会议", "下午三点"),
        ),
        (
            "Date of birth: 4 July 1990. I live at 221 Baker Street, Springfield, IL 62704. The meeting is on "
            "5 May 2024.",
            ("4 July 1990", "221 Baker", "62704", "Springfield"),
            ("5 May 2024", "meeting"),
        ),
        (
            "Am Montag zog Herr Klaus Bergmann in die Lindenstraße 12 in 50667 Köln. Er ist am 3. Mai 1971 geboren. "
            "Das Konzert am 12. Mai 2024 war voll.",
            ("Bergmann", "Lindenstra", "50667", "3. Mai 1971"),
            ("in die [", "] in [", "12. Mai 2024"),
        ),
        (
            "张伟昨天在北京市朝阳区建国路88号报到。他的手机号是13812345678。分公司的经理李娜认为项目成功。",
            ("张伟", "北京", "朝阳", "建国路", "88", "13812345678", "李娜"),
            ("昨天在", "报到", "经理", "认为项目成功"),
        ),
        (
            "Ihre Tochter Lena (geb. 7. April 2011) und ihr Sohn Max (* 02.03.2009) kommen. She was born in Leeds on "
            "4 May 1980. Das Konzert am 12. Mai 2024 war voll.",
            ("7. April 2011", "02.03.2009", "4 May 1980"),
            ("12. Mai 2024",),
        ),
        ("Je m'appelle Claire Dubois, née le 3 mai 1979, 12 rue de la Paix, Lyon.",
         ("Claire", "Dubois", "1979", "12 rue", "Paix", "Lyon"), ()),
    ],
)  # fmt: skip
def test_addresses_birth_dates_and_chinese_data_are_hidden(text: str, secrets: tuple, kept: tuple):
    hidden = anonymise_text(text)
    assert [secret for secret in secrets if secret in hidden] == []
    assert [word for word in kept if word not in hidden] == []


def test_what_is_no_personal_data_stays():
    for text in (
        "Der Weg 5 war lang. Sie ging 3 Kilometer.",
        "我们在公园散步，天气很好。价格是1381元。",
        CHINESE,
        SOLAR,
    ):
        assert "[address" not in anonymise_text(text) and "[phone" not in anonymise_text(text)


def test_anonymising_with_blocks_keeps_the_length():
    hidden = anonymise_text(LETTER, style="blocks")
    assert len(hidden) == len(LETTER) and "Huber" not in hidden and "█" in hidden
    assert "Anna Huber" in anonymise_text(LETTER, names=False)


def test_words_are_counted_as_people_count_them():
    assert count_words("Don't stop: well-known facts, 3.5 of them, 12:30.") == 8
    assert count_words("我爱北京 and Rome") == 6
    assert count_words(SOLAR, "sentences") == 13 and count_words(SOLAR, "paragraphs") == 5
    assert count_words("a\nb\n\nc\n", "lines") == 4 and count_words("ab c", "letters") == 3
    assert count_words("", "words") == 0


def test_characters_are_counted_without_white_space_unless_it_is_asked_for():
    text = "你好， 世界\n\u3000再见 ab c\n"
    assert count_words(text, "characters") == 10
    assert count_words(text, "characters with spaces") == len(text)


def test_occurrences_are_whole_words_whatever_their_case():
    assert count_words("The cat and the Cat see a category.", phrase="cat") == 2
    assert count_words(CHINESE, phrase="医院") == 4


def test_replacing_keeps_the_case_of_the_word():
    assert find_replace("Cat, cat and CAT", "cat", "dog") == "Dog, dog and DOG"
    assert find_replace("Cat cat", "cat", "dog", match_case=True) == "Cat dog"
    assert find_replace("category cat", "cat", "dog", whole_words=True) == "category dog"
    assert find_replace("1+1 (a.b)", "(a.b)", r"\1") == r"1+1 \1", "no patterns on either side"
    with pytest.raises(NodeError) as raised:
        find_replace("abc", "xyz", "")
    assert raised.value.port == "find"


def test_cases():
    assert change_case("straße", "upper") == "STRASSE" and change_case("ÄB", "lower") == "äb"
    assert change_case("the lord of the rings and NASA", "title") == "The Lord of the Rings and NASA"
    assert change_case("the 1st at 7pm, for 20km", "title") == "The 1st at 7pm, for 20km"
    said = change_case("at first i loved it. the end is not in the book", "title")
    assert said == "At First I Loved It. The End Is Not in the Book"
    assert change_case("HELLO WORLD. I AM HERE.\nSO AM I", "sentence") == "Hello world. I am here.\nSo am I"


def test_lines_are_sorted_as_people_sort():
    assert sort_lines("file 10\nfile 9\nÄpfel\nbirne\nApfel") == "Apfel\nÄpfel\nbirne\nfile 9\nfile 10"
    assert sort_lines("b\na\nb\n\na", unique=True, descending=True) == "b\na"
    assert sort_lines("x 3\ny 1,200\nz\nw 20", by="number", descending=True) == "y 1,200\nw 20\nx 3\nz"


def test_cleaning_a_scan_joins_lines_and_words():
    untidy = "This  is a scan-\nned text , with  broken\nlines and ﬁne words.\n\n\n"
    untidy += "Second para-\ngraph   here!!!!!!\n- a\n- b"
    assert clean_text(untidy) == (
        "This is a scanned text, with broken lines and fine words.\n\nSecond paragraph here!!!\n- a\n- b"
    )
    assert clean_text("“Hi” … ‘you’", plain_quotes=True) == "\"Hi\" ... 'you'"
    assert clean_text("It costs 3.50, and 1,000 more :)") == "It costs 3.50, and 1,000 more :)"


def test_cleaning_twice_changes_nothing_more():
    once = clean_text(SOLAR)
    assert clean_text(once) == once and "Europe. That" in once


def test_template_takes_texts_by_number_and_in_turn():
    assert (
        format_text("Dear {1}, welcome to {2}, {1}! {{x}}", ("Anna", "Rome")) == "Dear Anna, welcome to Rome, Anna! {x}"
    )
    assert format_text("{} and {}", ("{1}", "b")) == "{1} and b", "texts are not templates"
    with pytest.raises(NodeError) as raised:
        format_text("{3}", ("a",))
    assert raised.value.port == "texts"
    with pytest.raises(NodeError):
        format_text("no place", ("a",))


def test_the_same_words_in_another_order_are_told_of(tmp_path):
    context = RunContext(tmp_path)
    assert text_similarity("The dog bit the man.", "The man bit the dog.", context=context) > 0.9
    assert "another order" in context.told[0]
    quiet = RunContext(tmp_path)
    text_similarity("The dog bit the man.", "The dog, bit the MAN", context=quiet)
    text_similarity("The dog bit the man.", "A dog bit that man.", context=quiet)
    assert not quiet.told


def test_similarity_orders_texts_as_people_do():
    cat = "The cat sat on the mat."
    assert text_similarity(cat, "the CAT, sat on the mat") == 1.0
    near, far = (
        text_similarity(cat, "A cat was sitting on a mat."),
        text_similarity(cat, "Stock prices fell sharply today."),
    )
    assert 0.4 < near < 1 and far < 0.1
    assert text_similarity(cat, "xyz") == text_similarity("xyz", cat) == 0.0


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("The cat chased the mouse through the kitchen.", "A feline pursued a rodent across the room where one cooks."),
        ("How do I reset my password?", "I forgot my login and need a new one"),
        ("Er kauft ein neues Auto. Es ist rot.", "He is buying a new car. It is red."),
        ("我今天很高兴", "I am very happy today"),
    ],
)
def test_a_paraphrase_and_a_translation_are_more_alike_than_another_subject(text, meant):
    other = "Stock prices fell sharply today."
    assert text_similarity(text, meant) > max(0.3, 2 * text_similarity(text, other))


def test_easy_text_scores_above_hard_text():
    easy = readability("The cat sat on the mat. It was warm. The dog ran to the door.")
    hard = readability(
        "Notwithstanding jurisdictional considerations, constitutional interpretation necessitates reconsideration."
    )
    assert easy > 90 and hard == 0.0 and hard < readability(SOLAR) < easy
    assert readability("Die Katze sitzt auf der Matte. Es ist warm.") > 80
    with pytest.raises(NodeError, match="Chinese"):
        readability(CHINESE)


def test_statistics_are_exact():
    table = dict(text_statistics("One two three. Four five, five!\n\nSix.").rows)
    assert table["words"] == 7 and table["different words"] == 6 and table["sentences"] == 3
    assert table["paragraphs"] == 2 and table["language"] == "English" and table["commonest word"] == "five"


def _cues(path):
    blocks = path.read_text("utf-8").strip().split("\n\n")
    times = [re.findall(r"(\d+):(\d+):(\d+),(\d+)", block) for block in blocks]
    return blocks, [[int(h) * 3600 + int(m) * 60 + int(s) + int(t) / 1000 for h, m, s, t in pair] for pair in times]


def test_subtitles_fill_the_time_in_order_and_fit_the_screen(tmp_path):
    blocks, times = _cues(subtitles_from_text(SOLAR, 60.0, RunContext(tmp_path)))
    assert times[0][0] == 0 and times[-1][1] == pytest.approx(60)
    assert all(start < end for start, end in times)
    assert all(a[1] == b[0] for a, b in itertools.pairwise(times))
    lines = [line for block in blocks for line in block.split("\n")[2:]]
    assert max(map(len, lines)) <= 42 and all(len(block.split("\n")) <= 4 for block in blocks)
    assert " ".join(lines).replace("  ", " ").split() == SOLAR.split(), "no word is lost"
    assert [block.split("\n")[0] for block in blocks] == [str(i + 1) for i in range(len(blocks))]


def test_subtitles_without_spaces_and_without_time(tmp_path):
    blocks, _ = _cues(subtitles_from_text(CHINESE, 30.0, RunContext(tmp_path)))
    lines = [line for block in blocks for line in block.split("\n")[2:]]
    assert max(sum(1 + (ord(c) > 0x2E80) for c in line) for line in lines) <= 42, "wide characters count twice"
    assert "".join(lines) == CHINESE
    with pytest.raises(NodeError) as raised:
        subtitles_from_text(SOLAR, 1.0, RunContext(tmp_path))
    assert raised.value.port == "seconds"


def test_chinese_is_counted_by_characters_and_described_by_words():
    text = "图书馆今天开门。我们在图书馆看书，图书馆里有三千本书。"
    table = dict(text_statistics(text).rows)
    assert table["words"] == count_words(text) == 24
    assert table["commonest word"] == table["longest word"] == "图书馆"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "Call 020 7946 0958. Her passport is 925665416, she lives at 221B Baker Street.",
            "Call passport she lives at",
        ),
        ("Vive en la Calle Mayor 5, DNI 12345678Z, móvil 612 345 678.", "Vive en la DNI móvil"),
        ("微信号wxm_1990", "微信号"),
        ("In 1939-1945 it fell; on 2024-02-28 it cost 1,250,000 euros.", "1939-1945 2024-02-28 1,250,000"),
    ],
)
def test_numbers_and_addresses_of_people_are_hidden_whatever_their_country(text, left):
    hidden = anonymise_text(text)
    assert all(word in hidden for word in left.split())
    assert not {"020", "925665416", "221B", "Baker", "Mayor", "12345678Z", "612", "wxm_1990"} & set(
        re.split(r"[ ,.]", hidden)
    )
    assert "wxm" not in hidden and "345" not in hidden
