"""Wishes for a part of a picture around a thing, said plainly."""

from __future__ import annotations

import pytest

from desktop_app.plan.language.circled_things import framed, squared
from desktop_app.plan.language.spelling import Corrected
from desktop_app.plan.revision.round_boxes import with_squares
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Plan, Request, Solution, Step
from nodes import load_tools


def plainly(way, text):
    return way(Corrected(Request(text), text)).request.text


@pytest.mark.parametrize(("text", "plain"), [
    ("crop to a square around the cup", "crop around the cup"),
    ("a square crop around the cup, then blur it", "crop around the cup, then blur it"),
    ("schneide quadratisch um die Tasse zu", "auf die Tasse zuschneiden"),
    ("recadre en carré autour de la tasse", "recadre sur la tasse"),
    ("recorta un cuadrado alrededor de la taza", "recorta ajustado a la taza"),
    ("以杯子为中心裁成正方形", "裁剪到杯子"),
])  # fmt: skip
def test_a_square_around_a_thing_is_a_part_around_it(text, plain):
    assert plainly(squared, text) == plain


@pytest.mark.parametrize(("text", "plain"), [
    ("zoom in on the clock and make it brighter", "crop around the clock and make it brighter"),
    ("can you zoom in to the red car", "can you crop around the red car"),
    ("zoome auf die Uhr", "auf die Uhr zuschneiden"), ("geh näher an die Uhr heran", "auf die Uhr zuschneiden"),
    ("schneide eng um den Hund zu", "auf den Hund zuschneiden"), ("zoome sur l'horloge", "recadre sur l'horloge"),
    ("haz zoom en la cara", "recorta ajustado a la cara"), ("围绕杯子裁剪", "裁剪到杯子"),
])  # fmt: skip
def test_to_go_nearer_to_a_thing_is_a_part_around_it(text, plain):
    assert plainly(framed, text) == plain


@pytest.mark.parametrize("text", [
    "crop to a square", "zoom in", "crop to 16:9", "trim to the first 5 seconds", "crop it to the top half",
    "a slow zoom of 3 seconds", "quadratisch zuschneiden", "裁成正方形", "把这张照片裁成正方形", "zoom in on the photo",
    "把这张照片旋转九十度再裁成正方形", "放大到四倍", "crop to a square around that",
])  # fmt: skip
def test_where_nothing_is_named_the_wish_stays(text):
    assert plainly(squared, text) == plainly(framed, text) == text


def test_what_cuts_to_a_thing_cuts_a_square():
    find = Step("find", "segment_described", {"image": FromResource("a.png"), "what": "cup"})
    cut = Step("cut", "crop_to_mask", {"image": FromResource("a.png"), "mask": FromNode("find", "mask")})
    plan = with_squares(Plan((Solution("", "", 1.0, (find, cut)),)), ToolGraph(from_tools(load_tools().tools)))
    assert [dict(step.arguments).get("shape") for step in plan.solutions[0].steps] == [None, "square"]
