"""`graphwright replay`: a recorded run in a window, or as a picture of one."""

from __future__ import annotations

import argparse
import math
import os

from desktop_app.cli import exit_codes
from desktop_app.core.errors import BadRequest
from desktop_app.session.diagnostics import has_display


def run(options: argparse.Namespace) -> int:
    """The exit code. Raises AppError for a bad recording or argument, and where no window can open."""
    if not (options.speed > 0 and math.isfinite(options.speed)):
        raise BadRequest(f"The speed {options.speed:g} is not possible.", "Give a number above 0: --speed 4")
    if options.offscreen is not None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        from desktop_app.app import picture_of_replay

        picture_of_replay(options.recording, options.offscreen, options.at)
        print(options.offscreen)
        return exit_codes.OK
    if not has_display():
        said = "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so the window cannot open."
        raise BadRequest(said, "Save a picture instead: graphwright replay FILE --offscreen PICTURE.png")
    from desktop_app.app import open_replay

    return open_replay(options.recording, options.speed)
