"""The inspector: values, back ends, results, provenance, log and failures; with real clicks and keys."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel

from desktop_app.graph.workflow import Link, Workflow
from desktop_app.models import selection, store
from desktop_app.models.catalogue import catalogue
from desktop_app.run.backends import selection as backend_selection
from desktop_app.run.events.run_record import NodeRun
from desktop_app.session.session import Change
from desktop_app.ui.inspector.backend_list import BackendList
from desktop_app.ui.inspector.inspector_panel import LOG, PROVENANCE, RESULT, VALUES, Inspector
from desktop_app.ui.inspector.pages import chain, outputs_of
from desktop_app.ui.inspector.port_editors import SecretEditor, editor_for
from desktop_app.ui.inspector.values_page import SourceChip, fitting
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import ClickableFrame
from nodes import load_tools
from nodes.api import Backend, Port, ResourceType
from tests.ui import states
from tests.ui.conftest import until
from tests.ui.fakes import TOOLS, three_ways

Left = Qt.MouseButton.LeftButton


@pytest.fixture
def inspector(qtbot, ui, session):
    states.answered(session)
    made = Inspector(ui)
    qtbot.addWidget(made)
    made.resize(320, 900)
    made.show()
    return made


def words(widget) -> str:
    QApplication.processEvents()  # layouts show new widgets when they are next activated
    return " ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget))


def test_it_names_what_is_missing_while_nothing_is_selected(qtbot, ui, session):
    states.planned(session)
    made = Inspector(ui)
    qtbot.addWidget(made)
    assert "Segment by points: points" in made._hint.text()


def test_values_are_shown_as_they_are(inspector):
    inspector.show_item(("paint",))
    editors = inspector.values.editors
    assert editors["strength"].spin.value() == pytest.approx(0.62)
    assert editors["style"].combo.currentData() == "watercolour"
    assert editors["keep_size"].box.isChecked()
    assert "prompt" not in editors and "image" not in editors


def test_a_typed_number_is_one_edit(inspector, session):
    inspector.show_item(("paint",))
    spin = inspector.values.editors["strength"].spin
    spin.selectAll()
    QTest.keyClicks(spin, "0.25")
    QTest.keyClick(spin, Qt.Key.Key_Return)
    assert len(session.called("edit")) == 1
    assert session.workflow.node("paint").values["strength"] == pytest.approx(0.25)


@pytest.mark.parametrize(
    "port",
    [
        pytest.param(port, id=f"{tool.id}.{port.name}")
        for tool in load_tools().tools.values()
        for port in tool.inputs
        if port.type is ResourceType.NUMBER and not port.choices and port.default is None
    ],
)
def test_a_number_that_is_not_given_is_shown_as_none_and_can_be_taken_back(port, qtbot):
    editor = editor_for(port)
    qtbot.addWidget(editor)
    told = []
    editor.changed.connect(told.append)
    editor.set_value(None)
    assert editor.spin.text() == ("–" if port.required else "auto") and told == []
    least = port.minimum if port.minimum is not None else 1
    editor.spin.setValue(least)
    assert told == [least] and editor.spin.text() != "auto"
    editor.spin.selectAll()
    QTest.keyClick(editor.spin, Qt.Key.Key_Delete)
    QTest.keyClick(editor.spin, Qt.Key.Key_Return)
    assert told == [least, None] and editor.spin.value() == editor.spin.minimum()


def test_a_drag_of_the_slider_is_one_edit(inspector, session):
    inspector.show_item(("paint",))
    slider = inspector.values.editors["steps"].slider
    slider.setSliderDown(True)
    for place in (25, 30, 35, 40):
        slider.setValue(place)
    assert session.called("edit") == []
    slider.setSliderDown(False)
    assert len(session.called("edit")) == 1
    assert session.workflow.node("paint").values["steps"] == 41


def test_keys_move_the_slider_and_stay_whole_for_whole_numbers(inspector, session):
    inspector.show_item(("paint",))
    QTest.keyClick(inspector.values.editors["steps"].slider, Qt.Key.Key_Right)
    assert session.workflow.node("paint").values["steps"] == 25


def test_a_choice_and_a_flag_are_edited(inspector, session):
    inspector.show_item(("paint",))
    combo = inspector.values.editors["style"].combo
    QTest.keyClick(combo, Qt.Key.Key_Down)
    QTest.keyClick(inspector.values.editors["keep_size"].box, Qt.Key.Key_Space)
    assert session.workflow.node("paint").values["style"] == "ink"
    assert session.workflow.node("paint").values["keep_size"] is False


def test_typed_words_are_taken_when_the_focus_leaves(inspector, session):
    session.workflow = session.workflow.without_link(Link("cap", "text", "paint", "prompt"))
    inspector.show_item(("paint",))
    field = inspector.values.editors["prompt"].field
    field.setFocus()
    QTest.keyClicks(field, "wet edges")
    assert session.called("edit") == []
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert session.workflow.node("paint").values["prompt"] == "wet edges"


def test_advanced_inputs_are_folded(inspector):
    inspector.show_item(("paint",))
    assert "seed" not in inspector.values.editors
    fold = next(b for b in inspector.values.findChildren(QAbstractButton) if "more" in b.text())
    QTest.mouseClick(fold, Left)
    assert "seed" in inspector.values.editors


def test_a_chip_selects_what_feeds_the_port_and_can_take_it_away(inspector, session, ui, qtbot):
    inspector.show_item(("paint",))
    chip = inspector.values.findChildren(SourceChip)[0]
    with qtbot.waitSignal(ui.signals.select_node) as got:
        QTest.mouseClick(chip, Left)
    assert got.args == ["rem"]
    QTest.mouseClick(chip.drop, Left)
    assert all(link.port != "image" for link in session.workflow.links_into("paint"))


def test_only_what_fits_and_makes_no_circle_is_offered(inspector, session, ui):
    port = TOOLS["remove_object"].input("image")
    offered = [link.source for _, link in fitting(ui, "rem", port)]
    assert "coffee.jpg" in offered and "seg" in offered
    assert not set(offered) & session.workflow.downstream("rem")
    assert session.workflow.downstream("rem") == {"rem", "paint", "desc"}


def test_back_ends_tell_their_costs_and_can_be_chosen(inspector, session):
    inspector.show_item(("paint",))
    rows = {row.backend.id: row for row in inspector.backends.rows}
    assert "downloads 23.8 GB" in rows["flux"].accessibleDescription()
    assert "needs no_such" in rows["hosted"].accessibleDescription()
    QTest.mouseClick(rows["opencv"], Left)
    assert session.workflow.node("paint").backend == "opencv"
    rows["flux"].setFocus()
    QTest.keyClick(rows["flux"], Qt.Key.Key_Return)
    assert session.workflow.node("paint").backend == "flux"


def test_a_preference_stands_for_a_back_end_and_can_be_chosen(inspector, session):
    inspector.show_item(("paint",))
    buttons = inspector.backends.automatic
    session.edit(session.workflow.with_node(replace(session.workflow.node("paint"), backend=None)))
    assert list(buttons) == list(selection.PREFERENCES)
    assert [name for name, button in buttons.items() if button.isChecked()] == ["balanced"], "what no choice means"
    for name in ("best", "fast"):
        QTest.mouseClick(buttons[name], Left)
        assert session.workflow.node("paint").backend == name
        assert [each for each, button in buttons.items() if button.isChecked()] == [name]
        assert len([row for row in inspector.backends.rows if row.property("surface") == "chosen"]) == 1, (
            "the one it stands for now"
        )
    rows = {row.backend.id: row for row in inspector.backends.rows}
    QTest.mouseClick(rows["opencv"], Left)
    assert not any(button.isChecked() for button in buttons.values())
    buttons["fast"].setFocus()
    QTest.keyClick(buttons["fast"], Qt.Key.Key_Space)
    assert session.workflow.node("paint").backend == "fast"
    assert all(button.accessibleDescription() for button in buttons.values())


def test_where_there_is_one_back_end_nothing_is_preferred(qtbot):
    shown = BackendList()
    qtbot.addWidget(shown)
    shown.show_tool(replace(TOOLS["caption"], backends=TOOLS["caption"].backends[:1]), None)
    assert all(button.isHidden() for button in shown.automatic.values())


def test_with_several_back_ends_it_fits_beside_the_scroll_bar_of_the_inspector(qtbot):
    shown = BackendList()
    qtbot.addWidget(shown)
    shown.show_tool(load_tools().tools["remove_object"], None)
    assert shown.minimumSizeHint().width() <= theme.current().px(300 - 8)


def test_the_chosen_back_end_says_why_it_was_chosen(inspector, session):
    why = "SDXL 1.0: the first of 2 that fit this computer."
    first, *others = three_ways(session.workflow)
    session.workflow = session.workflow.with_node(replace(session.workflow.node("paint"), backend="sdxl"))
    way = replace(first, solution=replace(first.solution, reasons={"paint": why}), workflow=session.workflow)
    session.alternatives = (way, *others)
    inspector.show_item(("paint",))
    rows = {row.backend.id: row for row in inspector.backends.rows}
    assert not rows["sdxl"]._why.isHidden() and rows["sdxl"]._why.text() == why
    assert why in rows["sdxl"].accessibleDescription()
    QTest.mouseClick(rows["opencv"], Left)
    assert all(row._why.isHidden() for row in rows.values())  # the user's own choice needs no reason
    session.undo()
    assert rows["sdxl"]._why.text() == why


def test_the_back_end_and_its_reason_are_those_for_the_language_of_the_node(qtbot, monkeypatch):
    """Of two models of a pair that are here, the one that leads there."""
    tool = load_tools().tools["translate"]
    pairs = ("opus-mt-en-de", "opus-mt-en-fr")
    tool = replace(tool, backends=tuple(one for one in tool.backends if one.model in pairs))
    monkeypatch.setattr(store, "_complete", lambda model: True)
    backend_selection.look_again()
    made = BackendList()
    qtbot.addWidget(made)
    for language, model in (("German", "opus-mt-en-de"), ("French", "opus-mt-en-fr")):
        made.show_tool(tool, None, values={"language": language})
        told = {row.backend.model: row._why.text() for row in made.rows if not row._why.isHidden()}
        assert list(told) == [model] and told[model] and "does not translate" not in told[model]
    backend_selection.look_again()


def test_a_model_that_is_here_is_on_disk_and_not_to_be_downloaded(qtbot, monkeypatch):
    model = next(iter(catalogue().values()))
    there = Backend("b", "B", lambda: None, "model", "cpu", download_bytes=196_000_000, model=model.id)
    tool = replace(TOOLS["caption"], backends=(there,))
    made = BackendList()
    qtbot.addWidget(made)
    made.show_tool(tool, None)
    assert "downloads" in made.rows[0].accessibleDescription()
    monkeypatch.setattr(store, "_complete", lambda model: True)
    made.show_tool(tool, None)
    assert "on disk" in made.rows[0].accessibleDescription()
    assert "downloads" not in made.rows[0].accessibleDescription()


def test_all_results_are_listed_with_a_way_to_save_them(inspector, session, ui, qtbot):
    inspector.show_item(("paint",))
    inspector.tabs.setCurrentIndex(RESULT)
    save = next(b for b in inspector.result.findChildren(QAbstractButton) if "Save" in b.text())
    with qtbot.waitSignal(ui.signals.save_as) as got:
        QTest.mouseClick(save, Left)
    assert got.args[0].name == "coffee_watercolour.png"


def test_provenance_goes_back_to_what_the_user_brought(inspector, session, ui, qtbot):
    assert {line[1] for line in chain(session.workflow, "desc")} == {"paint", "rem", "seg", "cap", "coffee.jpg"}
    inspector.show_item(("desc",))
    inspector.tabs.setCurrentIndex(PROVENANCE)
    first = inspector.provenance.findChildren(ClickableFrame)[0]
    with qtbot.waitSignal(ui.signals.select_node) as got:
        QTest.mouseClick(first, Left)
    assert got.args == ["paint"]


def test_the_log_tells_what_happened(inspector, ui, session):
    lines = ui.log.lines_of("rem", session.run.nodes["rem"])
    assert [line.text for line in lines] == ["Started on GPU 0", "Done in 1.4 s · Built-in"]
    assert ui.log.lines_of("seg", session.run.nodes["seg"])[-1].text == "Done before, and kept"
    inspector.show_item(("rem",))
    inspector.tabs.setCurrentIndex(LOG)
    assert "Started on GPU 0" in words(inspector.log)


def test_a_failure_says_what_and_what_to_do_and_folds_the_cause(qtbot, ui, session):
    states.failed(session)
    made = Inspector(ui)
    qtbot.addWidget(made)
    made.resize(320, 900)
    made.show()
    made.show_item(("paint",))
    assert made.tabs.currentIndex() == LOG
    said = words(made.failure)
    assert "6.9 GB" in said and "Close other programs" in said
    assert "MemoryError" not in words(made)
    assert made.failure.main.text().strip() == "Use OpenCV stylisation instead"
    with qtbot.waitSignal(ui.signals.run):
        QTest.mouseClick(made.failure.main, Left)
    assert session.workflow.node("paint").backend == "opencv"


def failing(qtbot, ui) -> Inspector:
    made = Inspector(ui)
    qtbot.addWidget(made)
    made.resize(320, 900)
    made.show()
    made.show_item(("paint",))
    return made


def test_the_other_back_end_tells_its_cost_and_is_one_undo_step(qtbot, ui, session):
    states.failed(session)
    session.seconds = {("watercolour", "opencv"): 0.8}
    made = failing(qtbot, ui)
    assert "Built-in · no download · CPU · about 0.8 s" in words(made.failure)
    primaries = [b for b in made.failure.findChildren(QAbstractButton) if b.property("primary")]
    assert primaries == [made.failure.main]
    before = session.workflow
    QTest.mouseClick(made.failure.main, Left)
    assert session.past == [before]


def test_without_another_back_end_the_button_tries_again(qtbot, ui, session):
    states.failed(session)
    paint = replace(session.run.nodes["paint"], other="")
    session.run = replace(session.run, nodes={**session.run.nodes, "paint": paint})
    made = failing(qtbot, ui)
    assert made.failure.main.text().strip() == "Try again"
    with qtbot.waitSignal(ui.signals.run_to) as got:
        QTest.mouseClick(made.failure.main, Left)
    assert got.args == ["paint"]


def test_what_a_value_is_at_fault_for_is_changed_and_not_only_tried_again(qtbot, ui, session):
    states.failed(session)
    node = session.workflow.node("paint")
    port = next(one.name for one in session.tools[node.tool].inputs if one.type is ResourceType.NUMBER)
    session.workflow = session.workflow.with_value("paint", port, 1)
    paint = replace(session.run.nodes["paint"], other="", port=port)
    session.run = replace(session.run, nodes={**session.run.nodes, "paint": paint})
    made = failing(qtbot, ui)
    assert made.failure.main.text().strip().startswith("Change “")
    assert made.failure.again.text().strip() == "Try again"
    QTest.mouseClick(made.failure.main, Left)
    assert made.tabs.currentIndex() == VALUES
    editor = made.values.editors[port]
    qtbot.waitUntil(lambda: editor is made.focusWidget() or editor.isAncestorOf(made.focusWidget()))


def test_what_is_asked_for_during_a_run_is_done_after_it(qtbot, ui, session):
    states.failed(session)
    ended, session.run = session.run, replace(session.run, outcome="")
    session.busy = "Running"
    made = failing(qtbot, ui)
    asked = []
    ui.signals.run.connect(lambda: asked.append(True))
    QTest.mouseClick(made.failure.main, Left)
    assert session.workflow.node("paint").backend == "opencv" and not asked
    assert "as soon as the present run has ended" in words(made.failure)
    session.run, session.busy = ended, ""
    session.tell(Change.RUN | Change.BUSY)
    assert asked == [True]


def test_a_skipped_node_names_and_shows_its_cause(qtbot, ui, session):
    states.failed(session)
    made = Inspector(ui)
    qtbot.addWidget(made)
    made.show_item(("desc",))
    assert "because Watercolour gave no result" in " ".join(x.text() for x in made.failure.findChildren(QLabel))
    show = made.failure.findChild(QAbstractButton)
    with qtbot.waitSignal(ui.signals.select_node) as got:
        show.click()
    assert got.args == ["paint"]


def test_a_missing_tool_is_shown_as_missing(qtbot, ui, session):
    states.planned(session)
    session.tools = {id: tool for id, tool in TOOLS.items() if id != "watercolour"}
    made = Inspector(ui)
    qtbot.addWidget(made)
    made.show_item(("paint",))
    assert "not installed" in " ".join(x.text() for x in made.failure.findChildren(QLabel))
    assert not made.run_to.isEnabled()


def test_run_to_here_names_the_node(inspector, ui, qtbot):
    inspector.show_item(("rem",))
    with qtbot.waitSignal(ui.signals.run_to) as got:
        QTest.mouseClick(inspector.run_to, Left)
    assert got.args == ["rem"]


def test_a_resource_offers_pointing(inspector, ui, qtbot):
    inspector.show_item(("coffee.jpg",))
    assert not inspector.tabs.isTabVisible(0) and inspector.tabs.currentIndex() == RESULT
    point = next(b for b in inspector.hero.findChildren(QAbstractButton) if "Point" in b.text())
    with qtbot.waitSignal(ui.signals.point_at) as got:
        QTest.mouseClick(point, Left)
    assert got.args == ["coffee.jpg"]


def test_after_a_resource_every_page_of_a_node_has_its_tab(inspector):
    inspector.show_item(("coffee.jpg",))
    inspector.tabs.grab()
    inspector.show_item(("paint",))
    inspector.refresh()  # as what the run tells does, before anything was painted
    inspector.tabs.grab()
    assert all(inspector.tabs.tabRect(page).width() > 20 for page in (VALUES, RESULT, PROVENANCE, LOG))


def test_after_a_file_a_node_shows_its_values_again(inspector):
    """A file has none: its result was shown, and then the empty one of a node that never ran."""
    inspector.show_item(("coffee.jpg",))
    inspector.show_item(("paint",))
    assert inspector.tabs.currentIndex() == VALUES
    inspector.tabs.setCurrentIndex(RESULT)
    inspector.show_item(("coffee.jpg",))
    inspector.show_item(("paint",))
    assert inspector.tabs.currentIndex() == RESULT


def test_a_number_has_no_more_decimals_than_it_needs(qtbot):
    editor = editor_for(Port("block", ResourceType.NUMBER, "its size", 2.0, minimum=1, maximum=300, unit="px"))
    qtbot.addWidget(editor)
    for value, said in ((2.0, "2 px"), (2.5, "2.5 px"), (100, "100 px")):
        editor.set_value(value)
        assert editor.spin.text() == said and editor.spin.value() == value


def test_an_edit_of_one_value_keeps_the_editors(inspector, session):
    inspector.show_item(("paint",))
    before = inspector.values.editors["strength"]
    session.edit(session.workflow.with_value("paint", "strength", 0.1))
    session.edit(session.workflow.with_value("paint", "strength", 0.9))
    assert inspector.values.editors["strength"] is before
    assert before.spin.value() == pytest.approx(0.9)


def test_what_was_typed_for_a_node_that_is_gone_is_dropped(inspector, session):
    """Undo takes the node away while the keyboard is in one of its editors, which tells its value when it is left."""
    inspector.show_item(("paint",))
    editor = inspector.values.editors["strength"]
    before = len(session.called("edit"))
    session.workflow = Workflow()
    editor.changed.emit(0.3)
    assert len(session.called("edit")) == before


def test_outputs_of_many_ports_are_listed_one_by_one(session):
    states.answered(session)
    node = session.run.nodes["paint"]
    twice = {**node.outputs, "all": (node.outputs["image"], node.outputs["image"])}
    from dataclasses import replace

    assert [name for name, _ in outputs_of(replace(node, outputs=twice))] == ["image", "all", "all"]
    assert ResourceType.IMAGE


def test_a_failure_at_the_clicks_offers_to_point_again(qtbot, ui, session):
    states.failed(session)
    bad = NodeRun("failed", message="The point lies outside.", port="points", fix="Click inside.")
    session.run = replace(session.run, nodes={**session.run.nodes, "seg": bad})
    panel = Inspector(ui)
    qtbot.addWidget(panel)
    panel.show_item(("seg",))
    asked = []
    ui.signals.pick_port.connect(lambda node, port: asked.append((node, port)))
    QTest.mouseClick(panel.failure.main, Qt.MouseButton.LeftButton)
    assert asked == [("seg", "points")]


async def test_a_failure_for_want_of_a_model_offers_to_get_it(qtbot, ui, session, loop, monkeypatch):
    states.failed(session)
    lacks = NodeRun("failed", message="It needs a model.", fix="Get it: graphwright models download sam", model="sam")
    session.run = replace(session.run, nodes={**session.run.nodes, "seg": lacks})
    monkeypatch.setattr(
        backend_selection,
        "lacking",
        lambda tool, id, values: SimpleNamespace(names="SAM (38 MB)", ids=(), size_bytes=38_000_000),
    )
    panel = Inspector(ui)
    qtbot.addWidget(panel)
    panel.show_item(("seg",))
    assert "graphwright" not in words(panel.failure), "nobody types that in a window"
    QTest.mouseClick(panel.failure.main, Qt.MouseButton.LeftButton)
    await until(lambda: ("get_for", "seg") in session.calls)


def test_the_back_end_in_use_follows_a_change_of_theme(inspector, qapp):
    inspector.show_item(("paint",))
    inspector.tabs.setCurrentIndex(VALUES)
    chosen = next(row for row in inspector.backends.rows if row.property("surface") == "chosen")

    def ground():
        picture = chosen.grab().toImage()
        return picture.pixelColor(picture.width() - 12, picture.height() - 4).name()

    assert ground() == theme.current().color("accent.soft").name()
    try:
        theme.apply(qapp, "light")
        assert ground() == theme.current().color("accent.soft").name()
    finally:
        theme.apply(qapp, "dark")


def test_a_password_is_shown_as_dots_and_taken_like_other_words(qtbot):
    port = load_tools().tools["lock_pdf"].input("password")
    assert port is not None
    editor = editor_for(port)
    assert isinstance(editor, SecretEditor)
    qtbot.addWidget(editor)
    editor.set_value("Heron-9")
    assert editor.field.text() == "Heron-9" and "Heron" not in editor.field.displayText()
    taken = []
    editor.changed.connect(taken.append)
    QTest.keyClicks(editor.field, "0")
    QTest.keyClick(editor.field, Qt.Key.Key_Return)
    assert taken == ["Heron-90"]
