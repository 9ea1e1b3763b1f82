"""Drives the real window with real events and saves a picture of each main state: `python -m tests.ui.tour FOLDER`.

Needs a display (Xvfb will do) and the built-in tools; takes some minutes. Options: `--theme light`, `--scale 2`,
`--size 1100x720`, `--language zh`, `--only pointing` for one part. With `--guide` only the pictures of the user guide
are taken, as WebP: `xvfb-run -a -s "-screen 0 1920x1080x24" python -m tests.ui.tour resources/guide/pictures --guide`.
"""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable

from tests.ui.driving import drive, options_of
from tests.ui.tour import tour_chat, tour_day, tour_files, tour_graph, tour_looks, tour_models, tour_panels
from tests.ui.tour.touring import Tour

PARTS: dict[str, Callable[[Tour], Awaitable[None]]] = {
    part.__name__: part
    for part in (
        tour_chat.first_screen, tour_chat.attaching, tour_chat.alternatives, tour_chat.pointing, tour_chat.drawing,
        tour_chat.step_by_step, tour_chat.results, tour_graph.building, tour_graph.joining, tour_graph.arranging,
        tour_graph.failing, tour_graph.far, tour_panels.comparing, tour_panels.inspecting, tour_panels.overlays,
        tour_panels.recent, tour_models.models, tour_looks.narrow, tour_looks.large, tour_looks.light,
        tour_looks.double, tour_looks.chinese, tour_day.day, tour_files.files,
    )
}  # fmt: skip


async def journey(options: argparse.Namespace) -> None:
    """Every part in order, or the one that is asked for, each in a conversation of its own."""
    tour = Tour(options)
    await tour.rest(1.0)
    for name, part in PARTS.items():
        if options.only in ("", name):
            if tour.session.messages or tour.session.workflow.nodes:
                tour.new()
                await tour.rest()
            await part(tour)
    await tour.close()


def main() -> None:
    """Runs the tour; exit code 1 when a step did not happen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", default="en", choices=("en", "zh"))
    parser.add_argument("--guide", action="store_true", help="only the pictures of the user guide, as WebP")
    parser.add_argument("--only", default="", choices=("", *PARTS))
    options = options_of(parser)
    drive(lambda: journey(options))


if __name__ == "__main__":
    main()
