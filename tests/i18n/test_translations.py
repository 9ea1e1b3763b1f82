"""Everything that is said has its Chinese, and its places for values are the same."""

from __future__ import annotations

import ast
import re

import pytest

from desktop_app.i18n.catalogue import sections_of
from desktop_app.plan.modes.message_language import language_of_message
from desktop_app.session import consent, fetching, limits
from nodes import load_tools
from tests import translations

CATALOGUE = translations.catalogue()
SPOKEN = {name: sections_of(name) for name in ("de", "es", "fr")}
"""Those in which only the chat speaks."""


def test_all_that_is_said_has_chinese():
    assert translations.missing() == {}, "add it to resources/translations"


def test_no_message_is_put_together_as_text():
    assert translations.built_strings() == {}, "say it as a Phrase: template and values"


def test_a_message_that_is_put_together_is_found():
    tree = ast.parse('def f(x):\n    said = f"No {x}."\n    raise BadRequest(said, "Go." + x)\n')
    ((call, _, names),) = translations._calls_with_names(tree)
    found = [translations._texts(one, names, "\0") for one in translations._said_in(call, "desktop_app/a.py")]
    assert found == [["\0"], ["\0"]]


def test_nothing_is_in_the_catalogue_that_nobody_says():
    stale = translations.stale()
    assert {section: stale.get(section) for section in ("messages", "sentences", "types") if section in stale} == {}


@pytest.mark.parametrize("section", [name for name in CATALOGUE if name not in ("glossary", "words")])
def test_both_languages_have_the_same_places_for_values(section):
    odd = {a: b for a, b in CATALOGUE[section].items() if translations.places(a) != translations.places(b)}
    assert odd == {}


def test_lines_are_broken_in_both_languages_or_in_none():
    odd = {a: b for a, b in CATALOGUE["window"].items() if a.count("\n") != b.count("\n")}
    assert odd == {}


def test_keys_of_the_keyboard_stay_as_they_are():
    odd = [
        (a, b)
        for a, b in CATALOGUE["window"].items()
        if (key := a[a.rfind("(") :]).startswith(("(Ctrl", "(Alt", "(Esc", "(F")) and key not in b
    ]
    assert odd == []


def test_what_is_written_in_functions_and_tables_is_found():
    said = translations.window_strings()
    assert "Skipped because\n{cause} failed." in said  # from a name within a function
    assert "Amber" in said  # from a table of the module
    assert "{n} boxes" in said and "{n} points" in said  # from a choice of two
    assert "{title} was skipped because {cause} did not finish." in translations.said_strings()


def test_two_tools_never_have_one_chinese_title():
    titles = list(CATALOGUE["tools"].values())
    assert sorted(titles) == sorted(set(titles))


@pytest.mark.parametrize("language", SPOKEN)
def test_the_chat_has_all_its_words_in_its_language(language):
    """Every template of a message, of the errors of tools too; the names of tools and types; the questions."""
    has, wanted = SPOKEN[language], translations.tool_strings()
    assert set(wanted["tools"]) - set(has["tools"]) == set()
    assert set(CATALOGUE["types"]) - set(has["types"]) == set()
    said = {**translations.said_strings(), **translations.message_strings()}
    texts = {text for text in said if any(map(str.isalpha, _bare(text)))}
    assert texts - set(has["messages"]) == set()
    assert translations.port_questions() - set(has["docs"]) == set()


@pytest.mark.parametrize("language", SPOKEN)
def test_nothing_is_in_the_catalogue_of_a_chat_language_that_nobody_says(language):
    has = SPOKEN[language]
    said = {*translations.said_strings(), *translations.message_strings()}
    assert [text for text in set(has["messages"]) - said if text.strip(" ,;")] == []
    assert set(has["docs"]) <= translations.port_questions()


@pytest.mark.parametrize("language", SPOKEN)
def test_what_the_chat_says_has_the_same_places_and_no_title_twice(language):
    has = SPOKEN[language]
    odd = {a: b for s in has.values() for a, b in s.items() if translations.places(a) != translations.places(b)}
    assert odd == {}
    assert len(set(has["tools"].values())) == len(has["tools"])
    assert set(has["tools"]) <= set(translations.tool_strings()["tools"]), "no tool has that title any more"


@pytest.mark.parametrize("language", [*SPOKEN, "zh"])
def test_an_example_is_one_of_a_tool_and_told_as_of_its_language(language):
    has = CATALOGUE if language == "zh" else SPOKEN[language]
    examples = {text for tool in load_tools().tools.values() for text in tool.examples}
    assert set(has["examples"]) <= examples
    assert [text for text in has["examples"].values() if language_of_message(text) != language] == []


MESSAGES = ("chat/message_widget", "chat/plan_message", "chat/question_widget", "chat/result_card", "chat/run_progress",
            "chat/step_message", "results/result_view", "support/time_left", "widgets/download_view")  # fmt: skip
"""The modules of the window that show no more than messages and what is in them."""
DAY = "d MMMM yyyy"


@pytest.mark.parametrize("language", SPOKEN)
def test_buttons_and_notes_of_a_message_are_in_the_language_of_the_chat(language):
    has = SPOKEN[language]
    said = {text for name in MESSAGES for text in translations.said_in(f"desktop_app/ui/{name}.py")}
    said |= {*translations.said_in("desktop_app/ui/support/formatting.py")} - {DAY}
    assert said - {*has["window"], *has["messages"]} == set()
    window = translations.window_strings()
    assert [text for text in has["window"] if text not in window] == [], "no one says it any more"
    assert {*has["window"]} & {*has["messages"]} == set(), "it is there twice"


SAME_EVERYWHERE = re.compile(
    r"[a-z]{2}(?:-[a-z]{2})?|[A-Z].*|[\d:]+|mp[34]|m4a|ogg|flac|wav|iban|jpg|png|webp|webm|tiff|mov|mkv|pdf|docx|odt|html"
    r"|txt|md|xlsx|ods|csv|tsv|json"
)
"""Choices that are names: of forms of files, languages by their letters, ratios."""
ANSWERED = (fetching.GET, fetching.WITHOUT, fetching.LEAVE, consent.ALLOW, consent.ALWAYS, consent.REFUSE, consent.READ,
            consent.LEAVE, limits.RUN, limits.LEAVE)  # fmt: skip
"""What is answered to what the program itself asks."""


@pytest.mark.parametrize("language", SPOKEN)
def test_a_changed_value_is_told_in_the_language_of_the_chat(language):
    has, wanted = SPOKEN[language], translations.tool_strings()
    told = {one for one in wanted["choices"] if not SAME_EVERYWHERE.fullmatch(one) or one == "or"}
    target = load_tools().tools["translate"].input("language")
    assert (told | {*ANSWERED, *target.choices}) - set(has["choices"]) == set()
    assert {port for port in wanted["ports"] if len(port) > 1} - set(has["ports"]) == set()
    assert {"yellow", "black", "sky blue"} <= set(has["colours"])


def _bare(text: str) -> str:
    return translations.PLACE.sub("", text)
