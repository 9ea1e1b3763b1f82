"""Simple English instructions for whole pictures ("a bit darker, then flip it"), as picture tools with their values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nodes.api import NodeError, Phrase

_KNOWN = (
    "Known are: black and white, sepia, negative, brighter, darker, more or less contrast, more or less colourful, "
    "warmer, cooler, white balance, enhance, sharper, blur, deblur, denoise, pixelate, posterise, cartoon, pencil "
    "sketch, oil painting, watercolour, emboss, vignette, border, rotate 90 degrees left, upside down, flip "
    "horizontally, crop to a square, bigger, half the size, resize to 800x600, remove the background."
)


def understood(instruction: str, port: str) -> list[tuple[str, dict[str, Any]]]:
    """The wishes in order: id of a picture tool, and values for its inputs.

    Raises NodeError naming `port` when any word of a wish is not accounted for: better nothing than the wrong thing.
    """
    wishes = [_wish(clause, port) for clause in _clauses(instruction)]
    if not wishes:
        raise NodeError("There is no instruction.", port, _KNOWN)
    return wishes


def _clauses(instruction: str) -> list[str]:
    """The wishes of an instruction, in order."""
    text = re.sub(r"\s+", " ", instruction.lower()).strip()
    text = re.sub(r"\bblack[ -](?:and|&)[ -]white\b|\bb ?& ?w\b", "blackandwhite", text)
    parts = re.split(r"[,;!\n]|\.(?!\d)|\b(?:and then|and also|then|and|also|finally|first)\b", text)
    return [part.strip() for part in parts if not all(word in _FILLING for word in re.findall(r"\w+", part))]


_FILLING = frozenset(
    """
    a an and appear apply as be bit by can change color colors colour colours convert could do edit effect everything
    filter for give have i image in into is it its let like little lot look make me my of on overall photo photograph
    picture please put render should so some style the this to turn want whole with would you your add get
    again both each images just now photographs photos pictures their them these they those too well
    """.split()  # noqa: SIM905
)
_STRENGTHS = (
    (r"\b(?:a (?:tiny |little )?bit|slightly|a little|somewhat|a touch|subtly?)\b", 0.5),
    (r"\b(?:much|a lot|very|strongly|really|far|way|extremely|heavily|strong)\b", 1.8),
)
_Match = re.Match[str]


@dataclass(frozen=True)
class _Rule:
    """What is said (a regular expression), the tool for it, and its values, from the match and the strength.

    A strength of 1 is as usual.
    """

    said: str
    tool: str
    values: Callable[[_Match, float], dict[str, Any]] = lambda match, strength: {}


def _wish(clause: str, port: str) -> tuple[str, dict[str, Any]]:
    """The tool and values for one wish, all words of which must be accounted for."""
    strength, rest = 1.0, clause
    for said, factor in _STRENGTHS:
        if re.search(said, rest):
            strength, rest = factor, re.sub(said, " ", rest)
    for rule in _RULES:
        match = re.search(rf"(?<![\w-])(?:{rule.said})(?![\w-])", rest)
        if match is None:
            continue
        left = re.findall(r"[\w-]+", rest[: match.start()] + " " + rest[match.end() :])
        if all(word in _FILLING for word in left):
            return rule.tool, rule.values(match, strength)
    raise NodeError(Phrase("The instruction '{clause}' is not understood.", clause=clause), port, _KNOWN)


def _adjusted(**amounts: float) -> Callable[[_Match, float], dict[str, Any]]:
    """Amounts in their usual strength, or as per cent where a number is said."""

    def values(match: _Match, strength: float) -> dict[str, Any]:
        said = match.groupdict().get("percent")
        share = float(said) / 100 if said else None
        return {
            name: max(-0.95, min(0.95, math.copysign(share, amount) if share is not None else amount * strength))
            for name, amount in amounts.items()
        }

    return values


def _turned(match: _Match, strength: float) -> dict[str, Any]:
    said = match.group("way") or match.group("way2") or "right"
    way = "left" if said.startswith(("left", "counter", "anti")) else "right"
    return {"degrees": float(match.group("degrees") or 90), "direction": way}


def _flipped(match: _Match, strength: float) -> dict[str, Any]:
    said = match.group("way") or "horizontally"
    return {"direction": "vertically" if said.startswith(("vertical", "top", "upside")) else "horizontally"}


def _sized(match: _Match, strength: float) -> dict[str, Any]:
    width, height = match.group("width"), match.group("height")
    return {"width": int(width) if width else None, "height": int(height) if height else None}


def _side(match: _Match, strength: float) -> dict[str, Any]:
    return {"width" if match.group("way") == "wide" else "height": int(match.group("length"))}


def _framed(match: _Match, strength: float) -> dict[str, Any]:
    colour = match.group("colour")
    return {"colour": colour} if colour and colour not in _FILLING else {}


_COLOUR = r"colou?rs?"
_IT = r"(?: it)?(?: the \w+| this \w+)?"
_SIZE = r" (?P<width>\d+) ?(?:x|×|by) ?(?P<height>\d+)(?: ?(?:px|pixels))?"
_BY = r"(?: by)?(?: (?P<percent>\d+) ?(?:%|per ?cent))?"
_WAY = r"left|right|clockwise|counter-?clockwise|anti-?clockwise"
_MORE = r"(?:more|increase|higher|raise|boost|stronger)(?: the)? "
_LESS = r"(?:less|decrease|lower|reduce|weaker)(?: the)? "
_RULES = (
    _Rule(r"(?:remove|delete|erase|cut out)(?: the)? background|transparent background|cut ?out", "cut_out"),
    _Rule(
        rf"remove(?: the)? {_COLOUR}|blackandwhite|gr[ae]y ?-?scale|gr[ae]y|monochrome|colou?rless", "black_and_white"
    ),
    _Rule(r"sepia(?: tone)?|vintage|old-fashioned", "sepia"),
    _Rule(rf"invert(?:ed)?(?: the)?(?: {_COLOUR})?|negative", "invert_colours"),
    _Rule(
        rf"(?:brighter|brighten|lighter|lighten|more bright|{_MORE}brightness){_BY}",
        "brightness_contrast",
        _adjusted(brightness=0.3),
    ),
    _Rule(
        rf"(?:darker|darken|dimmer|dim|less bright|{_LESS}brightness){_BY}",
        "brightness_contrast",
        _adjusted(brightness=-0.3),
    ),
    _Rule(rf"{_LESS}contrast{_BY}|flatter", "brightness_contrast", _adjusted(contrast=-0.35)),
    _Rule(rf"(?:{_MORE})?contrast{_BY}", "brightness_contrast", _adjusted(contrast=0.35)),
    _Rule(
        rf"(?:{_LESS}(?:colou?rful|vivid|saturat(?:ed|ion)|{_COLOUR})|desaturate|paler|muted){_BY}",
        "brightness_contrast",
        _adjusted(saturation=-0.4),
    ),
    _Rule(
        rf"(?:(?:{_MORE})?(?:colou?rful|vivid|saturat(?:ed|ion)|vibrant)(?: {_COLOUR})?|{_MORE}{_COLOUR}|saturate)"
        rf"{_BY}",
        "brightness_contrast",
        _adjusted(saturation=0.4),
    ),
    _Rule(r"warmer(?: colou?rs| tones?)?", "white_balance", lambda match, strength: {"warmth": 0.35 * strength}),
    _Rule(
        r"(?:cooler|colder)(?: colou?rs| tones?)?",
        "white_balance",
        lambda match, strength: {"warmth": -0.35 * strength},
    ),
    _Rule(r"(?:fix|correct|adjust)?(?: the)? ?white balance|remove(?: the)? colou?r cast", "white_balance"),
    _Rule(r"enhanced?|improved?|auto-?contrast|better", "auto_contrast"),
    _Rule(r"deblur|unblur|less blurry|un-?blurred", "deblur"),
    _Rule(r"sharpen(?:ed)?|sharper|crisper", "sharpen", lambda match, strength: {"amount": 0.8 * strength}),
    _Rule(r"denoise|less (?:noisy|grainy)|(?:remove|reduce)(?: the)? (?:noise|grain)|smoother", "denoise"),
    _Rule(r"blur(?:red|ry|rier)?|soften|softer|out of focus", "blur", lambda match, strength: {"radius": 6 * strength}),
    _Rule(r"pixelated?|pixel art|mosaic", "pixelate"),
    _Rule(r"posteri[sz]ed?|poster", "posterise"),
    _Rule(r"cartoon(?:ish|ify)?|comic(?: book)?", "cartoon"),
    _Rule(
        r"(?P<colour>colou?red )?(?:pencil|sketch|drawing)(?: (?:sketch|drawing))?",
        "pencil_sketch",
        lambda match, strength: {"coloured": bool(match.group("colour"))},
    ),
    _Rule(r"oil(?: painting| paint)?|painting|painted", "oil_painting"),
    _Rule(r"water-?colou?r(?: painting)?s?|aquarelle", "watercolour"),
    _Rule(r"emboss(?:ed)?|relief", "emboss"),
    _Rule(
        r"vignette|dark(?:en)?(?: the)? corners",
        "vignette",
        lambda match, strength: {"strength": min(1.0, 0.6 * strength)},
    ),
    _Rule(r"(?:(?P<colour>[a-z]+) )?(?:border|frame)(?: around(?: it)?)?", "border", _framed),
    _Rule(
        r"(?:rotate |turn |flip )?(?:it )?upside[- ]down|rotate by half a turn",
        "rotate",
        lambda match, strength: {"degrees": 180},
    ),
    _Rule(
        rf"(?:rotate|turn)d?{_IT}(?:(?: to(?: the)?)? (?P<way>{_WAY}))?"
        rf"(?: by)? (?P<degrees>\d+(?:\.\d+)?) ?(?:degrees?|deg|°)?(?:(?: to(?: the)?)? (?P<way2>{_WAY}))?",
        "rotate",
        _turned,
    ),
    _Rule(rf"(?:rotate|turn)d?{_IT}(?: to(?: the)?)? (?P<way>{_WAY})(?P<degrees>)(?P<way2>)", "rotate", _turned),
    _Rule(r"rotated?(?P<way>)(?P<degrees>)(?P<way2>)", "rotate", _turned),
    _Rule(
        rf"(?:flip|mirror)(?:ped|ed)?{_IT}(?: "
        r"(?P<way>horizontal(?:ly)?|vertical(?:ly)?|left to right|top to bottom))?",
        "flip",
        _flipped,
    ),
    _Rule(
        rf"(?:crop(?:ped)?|cut)?{_IT}(?: to)?(?: an?)? ?(?P<shape>square|4:3|3:2|16:9|3:4|9:16)(?: shape| format)?",
        "crop",
        lambda match, strength: {"shape": match.group("shape")},
    ),
    _Rule(rf"crop{_IT}(?: to)?{_SIZE}", "crop", _sized),
    _Rule(
        rf"(?:resize|scale|shrink|enlarge){_IT}(?: to)?{_SIZE}",
        "resize",
        _sized,
    ),
    _Rule(
        r"(?:resize|scale)?(?: it)?(?: to)? ?(?P<length>\d+) ?(?:px|pixels?)? (?P<way>wide|high|tall)", "resize", _side
    ),
    _Rule(
        rf"(?:resize|scale|shrink|enlarge)d?{_IT}(?: down| up)?(?: to)? (?P<percent>\d+) ?(?:%|per ?cent)",
        "resize",
        lambda match, strength: {"percent": float(match.group("percent"))},
    ),
    _Rule(
        r"(?P<factor>[234]) ?(?:x|times)(?: as)?(?: (?:bigger|larger|big|large|the size))?",
        "upscale",
        lambda match, strength: {"factor": int(match.group("factor"))},
    ),
    _Rule(
        r"(?:twice|double|two times)(?: as)?(?: (?:big|large|its size|the size|size))?|bigger|larger|enlarged?"
        r"|upscaled?",
        "upscale",
    ),
    _Rule(r"half(?: as)?(?: (?:big|large|its size|the size|size))?|smaller|shrink", "resize"),
)
