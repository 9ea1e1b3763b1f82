"""What two ways cost and what came of them, in words: the rows that stand on both cards and end the table."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.session.comparison.fulfilment import Fulfilment
from desktop_app.ui.compare.diff_text import NOTHING, DifferenceRow
from desktop_app.ui.compare.sides import Side
from desktop_app.ui.support import formatting
from desktop_app.ui.support.formatting import translate

TIME, MEMORY, DOWNLOAD, FULFILLED, RESULT = "time", "memory", "download", "fulfilled", "result"


def totals(sides: Mapping[str, Side]) -> list[DifferenceRow]:
    """What each costs, and what came of it, as rows."""
    a, b = sides["a"], sides["b"]
    costs = (
        (translate("Time"), _time, TIME, "seconds"),
        (translate("Memory"), memory, MEMORY, "memory_bytes"),
        (translate("Download"), download, DOWNLOAD, "download_bytes"),
    )
    less = translate("Less than the other")
    found = [
        DifferenceRow(about, said := says(a), other := says(b), _less(a, b, field) if said != other else "", key, less)
        for about, says, key, field in costs
    ]
    if a.fulfilment is not None and b.fulfilment is not None:
        found.append(_fulfilled(a, b, a.fulfilment, b.fulfilment))
    return [*found, DifferenceRow(translate("Result"), a.result or NOTHING, b.result or NOTHING, key=RESULT)]


def _time(side: Side) -> str:
    if side.seconds is None:
        return translate("not known yet")
    time = formatting.duration(side.seconds)
    return time if side.has_run else translate("about {time}").format(time=time)


def memory(side: Side) -> str:
    return formatting.size(side.memory_bytes) if side.memory_bytes else translate("little")


def download(side: Side) -> str:
    return formatting.size(side.download_bytes) if side.download_bytes else translate("nothing")


def better(a: float | None, b: float | None) -> str:
    """The side with the clearly smaller number, "" when both are about the same or one is unknown."""
    if a is None or b is None or abs(a - b) <= 0.05 * max(a, b):
        return ""
    return "a" if a < b else "b"


def _less(a: Side, b: Side, field: str) -> str:
    return better(getattr(a, field), getattr(b, field))


def _fulfilled(a: Side, b: Side, of_a: Fulfilment, of_b: Fulfilment) -> DifferenceRow:
    more = ""
    if _ended(a) and _ended(b) and of_a.there != of_b.there:
        more = "a" if of_a.there > of_b.there else "b"
    kinds = ", ".join(formatting.port_label(str(type)) for type in of_a.asked)
    tip = translate("Counted: results of the kinds that were asked for ({kinds}). What they show is not judged.")
    return DifferenceRow(
        translate("Request fulfilled"), fulfilled_words(a, of_a), fulfilled_words(b, of_b), more, FULFILLED,
        translate("More than the other"), tip.format(kinds=kinds),
    )  # fmt: skip


def _ended(side: Side) -> bool:
    return not side.running and (side.has_run or bool(side.failed))


def fulfilled_words(side: Side, found: Fulfilment) -> str:
    """`2 of 2 results`; what is missing, where some are there; while the side runs, how many there are so far."""
    if not (side.running or _ended(side)):
        return NOTHING
    total = len(found.asked)
    count = translate("{n} of {total} results") if total > 1 else translate("{n} of 1 result")
    count = count.format(n=found.there, total=total)
    if side.running:
        return translate("{count} so far").format(count=count)
    if not found.missing or not found.there:
        return count
    lacking = ", ".join(dict.fromkeys(formatting.port_label(str(type)) for type in found.missing))
    return translate("{count}, missing: {kinds}").format(count=count, kinds=lacking)
