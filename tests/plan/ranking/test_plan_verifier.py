"""The verifier tells plans that serve a request from such as do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from desktop_app.plan.arguments.lost_values import lost_values
from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.modes.other_ways import MEANT, Drafts, Verdicts, Way
from desktop_app.plan.ranking.plan_judge import PlanDraft, values_unheard
from desktop_app.plan.ranking.plan_verifier import KINDS, WORD_FACTS, plan_facts, verifier, word_facts
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Given, Plan, Request, Solution, Step
from nodes import load_tools
from tests.plan.worlds import own_planner

TOOLS = {tool.id: tool for tool in from_tools(load_tools().tools)}
REQUEST = Request("make it black and white and 300 pixels wide", (Given("cat.jpg", "image"),))
GREY = Step("grey", "black_and_white", {"image": FromResource("cat.jpg")})
SMALL = Step("small", "resize", {"image": FromNode("grey", "image"), "width": 300})


@pytest.fixture(scope="module")
def drafts() -> Iterator[Drafts]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentence_encoder, "ENABLED", True)
        yield own_planner().drafts(REQUEST)


def solution(*steps: Step) -> Solution:
    return Solution("", "", 1.0, steps)


def share(drafts: Drafts, one: Solution, *others: Solution) -> float:
    """How probable it is as the networks' own plan, beside others."""
    drafts = replace(drafts, by_meaning=PlanDraft(Plan((one,))))
    ways = [Way("another tool", 0.0, PlanDraft(Plan((other,))), drafts.reading) for other in others]
    return Verdicts(drafts, TOOLS).shares([Way(MEANT, 0.0, drafts.by_meaning, drafts.reading), *ways])[0]


def test_a_plan_that_does_all_is_likelier_than_one_that_leaves_a_wish_or_a_value_out(drafts):
    whole = share(drafts, solution(GREY, SMALL))
    assert 0 < share(drafts, solution(GREY)) < whole < 1
    wider = replace(SMALL, arguments={**SMALL.arguments, "width": 900})
    assert share(drafts, solution(GREY, wider)) < whole


def test_a_plan_with_a_tool_that_nothing_asks_for_is_less_likely(drafts):
    more = Step("blurred", "blur", {"image": FromNode("small", "image")})
    assert share(drafts, solution(GREY, SMALL, more)) < share(drafts, solution(GREY, SMALL))


def test_facts_of_words_tell_values_and_files(drafts):
    facts = word_facts(solution(GREY, SMALL), drafts.reading, REQUEST)
    words = [word.text for word in drafts.reading.seen.words]
    assert facts.shape == (len(words), WORD_FACTS) and np.isfinite(facts).all()
    number = words.index("300")
    assert facts[number, 9] == 1 and facts[number, 7] == 1 and facts[words.index("white"), 9] == 0
    assert word_facts(solution(GREY), drafts.reading, REQUEST)[number, 9] == 0


def test_a_plan_without_steps_has_facts_too(drafts):
    assert np.isfinite(word_facts(solution(), drafts.reading, REQUEST)).all()
    assert 0 < share(drafts, solution()) < 1


def test_facts_of_a_plan_are_its_shape_and_where_it_comes_from():
    facts = plan_facts(solution(GREY, SMALL), REQUEST, TOOLS, "a part", -1.5)
    assert facts[:2] == (1 / 3, 1 / 3) and -1.5 in facts
    assert facts[-len(KINDS) :][KINDS.index("a part")] == 1 and sum(facts[-len(KINDS) :]) == 1


def test_facts_of_a_plan_tell_what_is_found_for_nothing_and_what_works_on_nothing():
    def facts(*steps: Step) -> tuple[float, ...]:
        return plan_facts(solution(*steps), REQUEST, TOOLS, "a part", 0.0)

    found = Step("faces", "detect_faces", {"image": FromResource("cat.jpg")})
    covered = Step("covered", "cover_boxes", {"image": FromResource("cat.jpg"), "boxes": FromNode("faces", "boxes")})
    assert facts(found) != facts(GREY)
    assert facts(Step("paper", "write_document", {})) != facts(
        Step("paper", "write_document", {"text": FromResource("a.txt")})
    )
    assert facts(found, covered) != facts(found, replace(covered, arguments={"image": FromResource("cat.jpg")}))


def test_nothing_far_off_breaks_it(drafts):
    looked = verifier().looked_at(drafts.reading.seen)
    words = np.full((looked.shape[1], WORD_FACTS), 1e4, np.float32)
    count = verifier()._w["mean"].shape[0]
    for far in (-1e9, 1e9):
        told = (words, [far] * count)
        assert all(0 < share < 1 for share in verifier().probabilities(looked, [told, told]))


@pytest.mark.parametrize(
    ("text", "values", "lost"),
    [
        ("keep only until 1:20", {"end": 80}, 0), ("half as large: 50%", {"percent": 50}, 0),
        ("at 80 % of the speed", {"speed": 0.8}, 0), ("cut it after 2 minutes", {"end": 120}, 0),
        ("make cat2 grey", {}, 0), ("collage, 800 px wide", {}, 1), ("from 1:20 to 1:40", {"start": 80}, 1),
        ('write "Before" on one and "After" on the other', {"text": "Before"}, 1),
    ],
)  # fmt: skip
def test_a_number_or_a_text_is_lost_where_no_value_says_it(text, values, lost):
    request = Request(text, (Given("cat2.jpg", "image"),))
    assert len(lost_values(request, solution(Step("one", "some_tool", values)))) == lost


def test_a_value_that_was_set_at_another_input_is_not_unheard():
    heard = (("brightness_contrast", "change", 0.9),)
    lighter = Step("one", "brightness_contrast", {"image": FromResource("cat.jpg"), "brightness": 0.15})
    assert values_unheard(heard, solution(lighter)) == 0
    bare = Step("one", "brightness_contrast", {"image": FromResource("cat.jpg")})
    assert values_unheard(heard, solution(bare)) == pytest.approx(0.9)


def test_what_the_others_are_worth_tells_of_a_plan(drafts):
    alone, beside = share(drafts, solution(GREY)), share(drafts, solution(GREY), solution(GREY, SMALL))
    assert beside < alone
    assert verifier().probabilities(verifier().looked_at(drafts.reading.seen), []) == []
