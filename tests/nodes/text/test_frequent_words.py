"""How often the words of a text occur: the counts add up to what a reader counts."""

from __future__ import annotations

import pytest

from nodes.api import NodeError
from nodes.text.count_words import count_words
from nodes.text.frequent_words import frequent_words

_SEA = (
    "The sea is wide, and the Sea is deep. John's boat lies by the sea; the sea's waves lift the boat.\n"
    "In 2024 and 2024 the waves were high."
)


def test_each_word_has_the_number_of_times_that_it_occurs():
    table = frequent_words(_SEA)
    assert table.columns == ("word", "times")
    assert table.rows[0] == ("sea", 4) and dict(table.rows[1:3]) == {"boat": 2, "waves": 2}
    assert all(times == count_words(_SEA, phrase=word) for word, times in table.rows)
    assert ("John", 1) in table.rows and not any(word in ("the", "The", "2024", "is") for word, _ in table.rows)
    assert [times for _, times in table.rows] == sorted((times for _, times in table.rows), reverse=True)


def test_small_words_are_counted_where_that_is_wished_and_no_more_than_asked_for():
    assert frequent_words(_SEA, 1, True).rows == (("the", 6),)
    assert len(frequent_words(_SEA, 3).rows) == 3


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Der Hund und die Katze. Der Hund läuft, die Katze schläft, und der Hund bellt.", ("Hund", 3)),
        ("L'eau de la mer. L'eau est bleue. La mer est belle, et l'eau chante dans la nuit.", ("eau", 3)),
        ("我们去公园玩，公园里有很多人，公园很美。", ("公园", 3)),
    ],
)
def test_other_languages_are_counted_without_their_articles(text, first):
    assert frequent_words(text).rows[0] == first


def test_a_text_of_small_words_alone_is_said_to_have_none():
    with pytest.raises(NodeError, match="no words") as caught:
        frequent_words("and the of it")
    assert caught.value.port == "text"
