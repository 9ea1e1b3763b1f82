"""Hiding faces in films: no detector finds one afterwards, in no picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from nodes._support.vision import people
from nodes.api import RunContext
from nodes.video import hide_faces_video as tool
from tests.nodes.av_media import decoded, movie, peak_frequency, run, sound_of, stream_facts, tone

GROUP = Path(__file__).parents[3] / "resources" / "examples" / "group.jpg"
COUNT = 8


@pytest.fixture(scope="module")
def film(tmp_path_factory) -> Path:
    """0.8 s: three people, the picture moves by 4 pixels to the left each time."""
    whole = cv2.cvtColor(cv2.imread(str(GROUP)), cv2.COLOR_BGR2RGB)
    whole = cv2.resize(whole, (480, 210), interpolation=cv2.INTER_AREA)
    shown = [np.ascontiguousarray(whole[:, 4 * number : 4 * number + 440]) for number in range(COUNT)]
    path = tmp_path_factory.mktemp("film") / "group.mp4"
    return movie(path, fps=10, pictures=shown, sound=tone(440, 0.8, 44_100))


@pytest.mark.parametrize("how", ["pixelate", "blur"])
def test_no_face_is_found_in_any_picture_afterwards(film: Path, tmp_path: Path, how: str):
    before = decoded(film)
    assert len(people.faces(before[0][1])) == 3
    made = run("hide_faces_video", film, how, folder=tmp_path)
    after = decoded(made)
    assert len(after) == COUNT and stream_facts(made)["seconds"] == pytest.approx(COUNT / 10, abs=0.001)
    assert [len(people.faces(picture)) for _, picture in after] == [0] * COUNT
    still = np.abs(after[0][1].astype(int) - before[0][1])[-40:]
    assert still.mean() < 4, "what is no face stays"
    heard = sound_of(made)
    assert heard is not None and abs(peak_frequency(heard) - 440) < 2


def test_gaps_are_filled_and_ends_are_held():
    times = [number / 25 for number in range(60)]
    one, later = tool._Place(0.2, 0.2, 0.1), tool._Place(0.24, 0.2, 0.1)
    places = tool._followed({10: [one], 20: [later], 30: [], 50: [tool._Place(0.8, 0.2, 0.1)]}, times)
    assert [number for number in range(60) if places[number]] == [*range(0, 31), *range(40, 60)]
    assert places[15][0].x == pytest.approx(0.22) and places[4][0] == pytest.approx(one)


def test_two_faces_are_two_tracks():
    left, right = tool._Place(0.2, 0.2, 0.1), tool._Place(0.7, 0.2, 0.1)
    places = tool._followed({0: [left, right], 2: [right, left]}, [0.0, 0.1, 0.2])
    assert [sorted(place.x for place in each) for each in places] == [pytest.approx([0.2, 0.7])] * 3


def test_a_film_without_faces_stays_and_says_so(tmp_path: Path):
    context = RunContext(tmp_path)
    given = movie(tmp_path / "given.mp4", 4)
    made = run("hide_faces_video", given, context=context)
    assert any("no face" in note for note in context.told)
    for (_, before), (_, after) in zip(decoded(given), decoded(made), strict=True):
        assert np.abs(before.astype(int) - after).mean() < 3
