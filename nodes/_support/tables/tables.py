"""Columns of tables by name, and cells as numbers. Must not know tools."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Any

from nodes._support.tables.columns import place
from nodes.api import NodeError, Phrase, Table

_NUMBER = re.compile(
    r"[-+−]?(?:\d+(?:[.,]\d+)?|\d{1,3}(?:[,.' \u00a0\u202f]\d{3})+(?:[.,]\d+)?|[.,]\d+)(?:e[-+]?\d+)?", re.I
)
_QUANTITY = re.compile(r"(?P<number>[-+−]?[\d.,' \u00a0\u202f]*\d)\s*(?P<scale>[^\W\d_]*)\.?(?:[^\d]*)")
_SCALES = {
    word: scale
    for scale, words in (
        (1e3, "k tsd thousand tausend mille mil 千"),
        (1e4, "万"),
        (1e6, "mio million millions millionen millones millón milioni milione 百万"),
        (1e8, "亿"),
        (1e9, "bn mrd billion billions milliarde milliarden milliard milliards miliardi miliardo"),
    )
    for word in words.split()
}
ONE = re.compile(r"^(?:an?|one|eine?r?|une?)\b\s*", re.IGNORECASE)
_AND = re.compile(r"\s+(?:and|&|und|et|y|e)\s+|\s*[和与及]\s*")
_DECIMALS = re.compile(r"(?<=\d)[.,](?:\d{1,2}|\d{4,})$")
_MONEY_NAMES = (
    "(?:[A-Z]{0,2}[$€£¥₹]|EUR|USD|GBP|CHF|JPY|CNY|RMB|INR|AUD|CAD|SEK|NOK|DKK|PLN|CZK|HUF|TRY|BRL|MXN|"
    r"Fr\.|kr\.?|zł|Kč)"
)
_BOOKED = re.compile(
    rf"(?P<first>[-−(]?)\s?(?P<before>{_MONEY_NAMES}?)\s?(?P<digits>[\d.,' \u00a0\u202f]*\d)"
    rf"\s?(?P<after>{_MONEY_NAMES}?)\s?(?P<last>[-−)]?)"
)
_CENTS = re.compile(r"[.,]\d\d")
_AROUND = re.compile(r"^[\s$€£¥₹]+|[\s$€£¥₹%]+$")


def checked(table: Any, port: str = "table") -> Table:
    """The table. Raises NodeError naming `port` when it has no columns or no rows."""
    if not isinstance(table, Table) or not table.columns:
        raise NodeError("The table has no columns.", port, "Give a table with a line of column names.")
    if not table.rows:
        raise NodeError("The table has no rows.", port, "Give a table with at least one row.")
    return table


def column(table: Table, name: str, port: str = "column") -> int:
    """The position of the column that `name` means, as `place` finds it. Raises NodeError naming `port`, with
    the columns that there are, for none.
    """
    names = [str(each) for each in table.columns]
    found = place(name, names) if isinstance(name, str) else None
    if found is not None:
        return found
    fix = Phrase("The columns are: {shown}.", shown=_shown(table))
    if not isinstance(name, str) or not name.strip():
        raise NodeError("No column is named.", port, fix)
    raise NodeError(Phrase('There is no column "{name}".', name=name), port, fix)


def columns(table: Table, names: str, port: str = "columns") -> list[int]:
    """The positions of the columns that are named, apart by commas or "and", each once, in that order.

    Raises NodeError naming `port` for a column that is not there, and when none is named.
    """
    found: list[int] = []
    for part in listed(names):
        words = _AND.split(part)
        is_one = len(words) == 1 or any(_folded(part) == _folded(name) for name in table.columns)
        found += [column(table, name, port) for name in ([part] if is_one else words)]
    if not found:
        raise NodeError("No column is named.", port, Phrase("The columns are: {shown}.", shown=_shown(table)))
    return [*dict.fromkeys(found)]


def listed(names: str) -> list[str]:
    """What stands between commas, without quotation marks around it; nothing where that is no text."""
    if not isinstance(names, str):
        return []
    parts = (part.strip(" \t\"'“”„`") for part in re.split(r"[,;，、；\n]", names))
    return [part for part in parts if part]


def key(cell: Any) -> str:
    """The same for cells that are the same but for their case and blanks, and for numbers however they are written;
    "" for an empty one."""
    if is_empty(cell):
        return ""
    value = number(cell)
    return shown(value, 15) if value is not None else "".join(str(cell).casefold().split())


def _folded(name: Any) -> str:
    return " ".join(str(name).split()).casefold()


def _shown(table: Table) -> str:
    return ", ".join(map(str, table.columns[:12]))


def number(cell: Any) -> float | None:
    """A cell as a number: 12, "1,234.5", "1.234,5", "€ 3", "40 %", "3 EUR", "(3.00)" for -3; None when it is none (or
    is true/false, NaN)."""
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, int | float):
        return float(cell) if cell == cell and abs(cell) != float("inf") else None
    text = _AROUND.sub("", str(cell))
    return _parsed(text) if _NUMBER.fullmatch(text) else _booked(str(cell).strip())


def _booked(text: str) -> float | None:
    """An amount as banks and accounts write it: "EUR 12.50", "-$5", "(30.00)", "30,00-"; "(2)" is a note."""
    found = _BOOKED.fullmatch(text)
    if found is None or not _NUMBER.fullmatch(found["digits"]):
        return None
    first, last = found["first"], found["last"]
    named = found["before"] or found["after"]
    if (first == "(") != (last == ")") or not (named or (last and _CENTS.search(found["digits"]))):
        return None
    value = _parsed(found["digits"])
    return -value if value is not None and (first or last) else value


def quantity(said: str) -> float | None:
    """A number as people say it, with what multiplies it and a unit: "60 million", "€ 2.5 Mio.", "20 kg"; else None."""
    plain = number(said)
    found = None if plain is not None else _QUANTITY.fullmatch(_AROUND.sub("", said))
    if found is None:
        return plain
    scale, base = found["scale"].casefold(), number(found["number"])
    by_sign = next((_SCALES[sign] for sign in ("百万", "千", "万", "亿") if scale.startswith(sign)), 1.0)
    return None if base is None else base * _SCALES.get(scale, by_sign)


def apart(said: str) -> str:
    """ "Plus d'un million" as "plus de un million"."""
    return re.sub(r"\bd['’](?=une?\b)", "de ", said)


def with_one(said: str) -> str:
    """ "A million" as "1 million"."""
    rest = ONE.sub("", said)
    return f"1 {rest}" if rest != said and rest.split(" ")[0].casefold() in _SCALES else said


def _parsed(text: str) -> float | None:
    text = re.sub(r"['\s\u00a0\u202f]", "", text.replace("−", "-"))
    comma, point = text.rfind(","), text.rfind(".")
    if comma > point:
        thousands = point < 0 and re.fullmatch(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+", text)
        text = text.replace(",", "") if thousands else text.replace(".", "").replace(",", ".")
    elif text.count(".") > 1 or comma >= 0:
        text = text.replace(",", "") if comma >= 0 else text.replace(".", "")
    try:
        return float(text)
    except ValueError:
        return None


def is_numeric(cells: Sequence[Any]) -> bool:
    """True when at least nine in ten of the cells that are not empty are numbers, and there is one."""
    filled = [cell for cell in cells if not is_empty(cell)]
    return bool(filled) and sum(number(cell) is not None for cell in filled) >= 0.9 * len(filled)


def is_counter(cells: Sequence[Any]) -> bool:
    """True for 1, 2, 3 and the like: numbers that count the rows, or name them."""
    numbers = [number(cell) for cell in cells]
    return len(numbers) > 2 and all(
        before is not None and after is not None and after - before == 1
        for before, after in itertools.pairwise(numbers)
    )


def is_empty(cell: Any) -> bool:
    """None, NaN, or text without letters."""
    return cell is None or (isinstance(cell, float) and cell != cell) or (isinstance(cell, str) and not cell.strip())


def cells(table: Table, place: int) -> list[Any]:
    """The cells of one column, from the top."""
    return [row[place] for row in table.rows]


_MOST_EXACT, _MONEY = 1e15, 10


def shown(value: float, digits: int = 6) -> str:
    """A number as people write it: 1200, 0.25; at most `digits` significant digits, of ten or more so many that amounts
    of money keep their cents."""
    if abs(value) >= _MOST_EXACT:
        return f"{value:.{digits}g}"
    if value == int(value):
        return str(int(value))
    whole = len(str(int(abs(value))))
    return f"{value:.{max(digits, whole + 2) if digits >= _MONEY else max(digits, whole)}g}"


def written_like(value: float, cells: Sequence[Any]) -> str:
    """A number as those of the cells are written that are texts with decimals: 1.180,00; else with two decimals more
    than they have at most.
    """
    told = [cell.strip() for cell in cells if isinstance(cell, str) and _DECIMALS.search(cell.strip())]
    if not told:
        return shown(round(value, 2 + max(map(_decimals, cells), default=0)), 10)
    ending = max((_DECIMALS.findall(cell)[0] for cell in told), key=len)
    whole = [cell[: -len(ending)] for cell in told]
    usual = "," if ending[0] == "." else "."
    parting = next((sign for cell in whole for sign in re.findall(r"[.,' \u00a0\u202f](?=\d{3}\b)", cell)), usual)
    is_plain = ending[0] == "." and parting == usual and not any("," in cell for cell in whole)
    text = f"{value:_.{len(ending) - 1}f}".replace(".", ending[0])
    return text.replace("_", "" if is_plain or any(re.search(r"\d{4}", cell) for cell in whole) else parting)


def _decimals(cell: Any) -> int:
    return len(f"{cell:.10g}".partition(".")[2]) if isinstance(cell, float) else 0


def tidy(value: float) -> float | int:
    """Without the dust of adding decimals: 0.3 for 0.30000000000000004, 12 for 12.0."""
    rounded = round(value, 4) if abs(value) >= 1e6 else float(f"{value:.10g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < _MOST_EXACT else rounded
