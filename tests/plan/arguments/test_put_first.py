"""Files that are not named go in the order that is said."""

import pytest

from desktop_app.plan.arguments.put_first import with_one_first
from desktop_app.plan.types import Given, Request

FILES = tuple(Given(name, "file") for name in ("a.pdf", "b.pdf", "c.pdf"))


@pytest.mark.parametrize(
    ("text", "order", "left"),
    [
        ("join these, third one first", "cab", "join these"),
        ("put the third one first and join them", "cab", "join them"),
        ("join these with the last one first and number the pages", "cab", "join these and number the pages"),
        ("füge sie zusammen, das dritte soll zuerst kommen, und nummeriere die Seiten", "cab",
         "füge sie zusammen, und nummeriere die Seiten"),
        ("réunis-les, mets la deuxième page au début", "bac", "réunis-les"),
        ("une estos PDF, el tercero primero", "cab", "une estos PDF"),
        ("合并这些PDF，第三个放在最前面，并加页码", "cab", "合并这些PDF，并加页码"),
        ("rotate the third one first, then join them", "abc", "rotate the third one first, then join them"),
        ("join c.pdf, b.pdf and a.pdf, the third one first", "abc", "join c.pdf, b.pdf and a.pdf, the third one first"),
        ("join these, the fifth one first", "abc", "join these, the fifth one first"),
    ],
)  # fmt: skip
def test_the_one_that_is_said_to_be_first_is_first(text, order, left):
    found = with_one_first(Request(text, FILES))
    assert ("".join(file.name[0] for file in found.resources), found.text) == (order, left)
