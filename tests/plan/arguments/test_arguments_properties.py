"""What holds for every tool and every wording: nothing twice, nothing out of range, nothing that was not said."""

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import fill
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.tools.tool_specs import from_tools
from nodes import load_tools
from tests.conftest import for_each

TOOLS = {spec.id: spec for spec in from_tools(load_tools().tools)}
SETTABLE = sorted(id for id, spec in TOOLS.items() if any(p.type in ("number", "flag", "text") for p in spec.inputs))
PIECES = [
    "6", "0.3", "1,000", "-19", "30%", "20 percent", "half", "twice", "three", "drei", "deux", "三", "a dozen", "1:30",
    "16:9", "1280x720", "120 by 40", "between 3 and 7 seconds", "from 2 to 5", "the first 5 seconds", "800 pixels wide",
    "3 half-tones", "440 Hz", "6 dB", "LUFS", "x 50", "y 80", "#ff8800", "red", "light blue", "black and white", "top",
    "lower right corner", "left", "upside down", "counterclockwise", "in German", "auf Deutsch", "like a robot",
    "without", "not", "no", "darker", "too bright", "louder", "down", "up", "by", "to", "at", "of", "and", ",", ".",
    "'hello'", '"colour"', "replace 'a' with 'b'", "titled 'X'", "where amount > 100", "by points", "top 5", "page 3",
    "photo.jpg", "these three pictures", "sentences", "columns", "on every side", "descending", "loop",
    "in 12 characters",
]  # fmt: skip
wordings = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map(" ".join)
quick = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def filled(id, text):
    return fill(TOOLS[id], TOOLS[id].inputs, Clause.of(text))


@quick
@given(st.sampled_from(SETTABLE), wordings)
def test_no_word_serves_two_ports(id, text):
    found = filled(id, text)
    if "every side" in text and {"left", "right", "top"} <= {p.name for p in TOOLS[id].inputs}:
        return  # the one wording that means several ports
    places = [place for words in found.read_from.values() for place in words]
    assert len(places) == len(set(places))
    assert found.values.keys() == found.read_from.keys()
    assert all(found.read_from.values())


@quick
@given(st.sampled_from(SETTABLE), wordings)
def test_every_value_is_one_that_the_port_takes(id, text):
    ports = {port.name: port for port in TOOLS[id].inputs}
    for name, value in filled(id, text).values.items():
        port = ports[name]
        if port.choices:
            assert value in port.choices
        elif port.type == "number":
            assert not isinstance(value, bool)
            assert port.minimum is None or value >= port.minimum
            assert port.maximum is None or value <= port.maximum
            assert not port.integer or isinstance(value, int)
        elif port.type == "flag":
            assert isinstance(value, bool)
        else:
            assert isinstance(value, str) and value


@quick
@given(st.sampled_from(SETTABLE), st.text(max_size=60))
def test_odd_text_raises_nothing(id, text):
    filled(id, text)


@quick
@given(wordings)
def test_texts_come_from_the_request(text):
    for id in ("find_replace", "web_page", "sort_table", "filter_table"):
        for name, value in filled(id, text).values.items():
            if isinstance(value, str) and not next(p for p in TOOLS[id].inputs if p.name == name).choices:
                bare = re.sub(r"[^\w]", "", value).casefold()
                assert bare in re.sub(r"[^\w]", "", text).casefold() or name == "condition"


@for_each(SETTABLE, str)
def test_nothing_said_leaves_every_default(id):
    assert filled(id, "please do it for me with this").values == {}


@for_each([i for i in SETTABLE if any(p.type == "number" and p.unit for p in TOOLS[i].inputs)], str)
def test_a_measure_in_the_unit_of_the_only_such_port_is_taken(id):
    """ "4 dB": for every tool with one port in a unit, a value inside its range is found by the unit alone."""
    spec = TOOLS[id]
    units = [p.unit for p in spec.inputs if p.type == "number"]
    for port in spec.inputs:
        if port.type != "number" or units.count(port.unit) != 1 or not port.unit or port.many:
            continue
        value = _inside(port)
        written = str(value) if value >= 0 else f"minus {-value}"
        text = f"with {written} {port.unit}" if port.unit != "x" else f"at {written}x"
        assert filled(id, text).values.get(port.name) == value


@for_each([i for i in SETTABLE if any(p.type == "number" and len(p.name) > 1 for p in TOOLS[i].inputs)], str)
def test_a_number_beside_the_name_of_a_port_is_taken(id):
    for port in TOOLS[id].inputs:
        if port.type == "number" and not port.many:
            value = _inside(port)
            written = str(value) if value >= 0 else f"minus {-value}"
            text = f"with {port.name.replace('_', ' ')} {written}"
            assert filled(id, text).values.get(port.name) == value, text


def _inside(port):
    """A value inside the range of the port that is not its default."""
    low = 1.0 if port.minimum is None else port.minimum
    high = low + 40 if port.maximum is None else port.maximum
    value = low + (high - low) / 4
    value = round(value) if port.integer or high - low > 8 else round(value, 2)
    return value + 1 if value == port.default else value


CHOSEN = [
    (id, port.name, value)
    for id in SETTABLE
    for port in TOOLS[id].inputs
    for value in port.choices
    if len(value) > 2 and value not in ("auto", "free", "as set", "all", "and") and value.split("-")[0] != "pt"
]


@for_each(CHOSEN, str)
def test_a_choice_that_is_named_with_its_port_is_taken_or_the_default(chosen):
    id, name, value = chosen
    port = next(p for p in TOOLS[id].inputs if p.name == name)
    found = filled(id, f"with {name} {value}").values.get(name)
    assert found == value or (found is None and value == port.default)


@for_each(CHOSEN, str)
def test_a_negated_choice_is_not_taken(chosen):
    id, name, value = chosen
    assert filled(id, f"without {value}").values.get(name) != value


def test_the_colours_of_the_lexicon_are_found():
    for colour in sorted(lexicon().colours):
        assert filled("border", f"put a {colour} border around it").values == {"colour": colour}
