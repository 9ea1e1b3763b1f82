"""The tour's parts that are done by hand on the canvas: searching, joining, arranging, failing, from far."""

from __future__ import annotations

from PySide6.QtCore import QPoint

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node
from tests.ui.driving import EXAMPLES, Ctrl, Key
from tests.ui.tour.touring import Tour


async def building(tour: Tour) -> None:
    """A file dropped on the canvas, a tool found by a word, another offered for a link, the palette, the outline."""
    await tour.ask("Make a cartoon of coffee.jpg", "coffee.jpg")
    graph = tour.window.graph
    tour.hold()
    tour.key(Key.Key_Tab, widget=graph.canvas)
    await tour.rest()
    search = graph.controller.adding.search
    tour.write("pict", search.field)
    await tour.shot("search")
    tour.key(Key.Key_Escape, widget=search.field)
    start = tour.output(tour.node("cartoon").id, "image")
    tour.drag(tour.port, start, start + QPoint(60, 60), start + QPoint(110, 130))
    await tour.rest()
    await tour.shot("search-fitting")
    tour.key(Key.Key_Return, widget=search.field)
    await tour.rest()
    tour.drop_files(graph.canvas, QPoint(80, 360), EXAMPLES / "talk.wav")
    await tour.until(lambda: tour.session.workflow.resource("talk.wav"))
    tour.key(Key.Key_P, widget=graph.canvas)
    await tour.shot("palette")
    tour.key(Key.Key_O, widget=graph.canvas)
    await tour.shot("outline")
    graph.side.close_panel()


async def joining(tour: Tour) -> None:
    """A join that cannot be, with the reason and the converter that would help."""
    await tour.ask("Make a cartoon of cat.jpg", "cat.jpg")
    workflow = tour.session.workflow
    photo = workflow.resources[0].name
    made = Node("out", "remove_object", position=(600.0, 320.0))
    tour.session.edit(workflow.with_node(made).with_link(Link(photo, RESOURCE_OUTPUT, "out", "image")))
    tour.window.graph.fit()
    await tour.rest()
    tour.drag(tour.port, tour.output(tour.node("cartoon").id, "image"), tour.input("out", "mask"))
    await tour.shot("refused")
    tour.click(tour.window.graph.stage.refusal.add)
    await tour.rest()
    tour.window.graph.fit()
    await tour.shot("converted")


async def arranging(tour: Tour) -> None:
    """Notes, frames, a node bypassed and another muted, the bar that finds, the menu of a card."""
    await tour.ask("Blur the faces in group.jpg, then make a slideshow video of it", "group.jpg")
    graph, canvas = tour.window.graph, tour.window.graph.canvas
    tour.hold()
    graph.select([tour.node("detect_faces").id, tour.node("mask_from_boxes").id])
    tour.key(Key.Key_G, Ctrl, canvas)
    await tour.rest()
    tour.write("where the faces are")
    tour.key(Key.Key_Return)
    graph.select([])
    tour.hold()
    tour.key(Key.Key_N, widget=canvas)
    await tour.rest()
    tour.write("Try a stronger blur when names can still be read.")
    tour.key(Key.Key_Return, Ctrl)
    tour.hold()
    graph.select([tour.node("blur").id])
    tour.key(Key.Key_B, Ctrl, canvas)
    graph.select([tour.session.workflow.nodes[-1].id])
    tour.key(Key.Key_M, Ctrl, canvas)
    graph.select([])
    graph.fit()
    await tour.shot("annotated")
    tour.key(Key.Key_F, Ctrl, canvas)
    await tour.rest()
    tour.write("blur", graph.controller.adding.search.field)
    await tour.shot("find")
    tour.key(Key.Key_Escape, widget=graph.controller.adding.search.field)
    tour.click(tour.port, tour.middle_of(tour.node("blur").id))
    tour.ask_menu(tour.port, tour.middle_of(tour.node("blur").id))
    await tour.shot("card-menu")
    tour.close_menus()


async def failing(tour: Tour) -> None:
    """A node that fails with one thing to do about it, one that is skipped for its sake, a branch that goes on."""
    await tour.ask("Read the text in cat.jpg", "cat.jpg")
    photo = tour.session.workflow.resources[0].name
    workflow = tour.session.workflow
    outside = Node("mask", "segment_points", {"points": [[5000, 5000, True]]}, position=(288.0, 336.0))
    paint = Node("paint", "watercolour", position=(528.0, 336.0))
    workflow = workflow.with_node(outside).with_node(paint)
    workflow = workflow.with_link(Link(photo, RESOURCE_OUTPUT, "mask", "image"))
    workflow = workflow.with_link(Link(photo, RESOURCE_OUTPUT, "paint", "image"))
    tour.session.edit(workflow.with_link(Link("mask", "mask", "paint", "mask")))
    tour.window.graph.fit()
    await tour.run()
    await tour.finished()
    await tour.shot("error")
    tour.key(Key.Key_L, Ctrl, tour.window)
    await tour.shot("log")
    tour.window.overlays.log.dismiss()


async def far(tour: Tour) -> None:
    """Forty cards from far: simple cards with their states."""
    await tour.ask("Make a cartoon of coffee.jpg", "coffee.jpg")
    workflow = tour.session.workflow
    photo = workflow.resources[0].name
    tools = ("pencil_sketch", "watercolour", "oil_painting", "cartoon", "blur", "rotate", "grayscale", "sharpen")
    known = [tool for tool in tools if tool in tour.session.tools]
    for row in range(5):
        before, output = photo, RESOURCE_OUTPUT
        for column, tool in enumerate(known):
            id = f"{tool}{row}"
            workflow = workflow.with_node(Node(id, tool, position=(260.0 * (column + 1), 260.0 * (row + 1))))
            workflow = workflow.with_link(Link(before, output, id, "image"))
            before, output = id, "image"
    tour.session.edit(workflow)
    tour.window.graph.fit()
    await tour.run()
    await tour.until(lambda: sum(n.state == "done" for n in tour.session.run.nodes.values()) > 12)
    tour.snap("far")
    tour.key(Key.Key_Escape, widget=tour.window)
    await tour.finished()
