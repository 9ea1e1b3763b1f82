"""Numbers with their units, ranges, sizes and shares go to the ports that are meant: many ways to say each rule."""

import pytest

from tests.plan.arguments.settings_world import (
    CUT,
    ECHO,
    FADES,
    FRAME,
    GAIN,
    INSET,
    LIGHT,
    PAGES,
    PITCH,
    PLACE,
    ROOM,
    SHORT,
    SIZE,
    SPEED,
    TARGET,
    TERMS,
    TONE,
    VEIL,
    said,
)


@pytest.mark.parametrize(
    ("spec", "text", "values"),
    [
        (GAIN, "turn it down by 6 dB", {"gain": -6}),
        (GAIN, "make talk.wav 6 dB quieter", {"gain": -6}),
        (GAIN, "lower the volume by 3 decibels", {"gain": -3}),
        (GAIN, "reduce talk.wav by 4.5 dB", {"gain": -4.5}),
        (GAIN, "turn it up 6dB", {"gain": 6}),
        (GAIN, "it is too quiet, raise it by 8 dB", {"gain": 8}),
        (GAIN, "it is too loud, change it by 8 dB", {"gain": -8}),
        (GAIN, "change the gain by -2 dB", {"gain": -2}),
        (GAIN, "mach es um 6 Dezibel leiser", {"gain": -6}),
        (GAIN, "make it louder", {}),
        (GAIN, "turn it up by 400 dB", {}),
        (TARGET, "to -19 LUFS", {"target": -19}),
        (TARGET, "bring it to minus 23 LUFS with a peak of -2 dB", {"target": -23, "peak": -2}),
        (TARGET, "16 LUFS please", {"target": -16}),
        (TONE, "a 1000 Hz beep lasting 3 seconds", {"frequency": 1000, "seconds": 3}),
        (TONE, "1 kHz for half a minute", {"frequency": 1000, "seconds": 30}),
        (TONE, "ein Ton mit 440 Hertz, zwei Sekunden lang", {"frequency": 440, "seconds": 2}),
        (TONE, "1,000 Hz for 250 ms", {"frequency": 1000, "seconds": 0.25}),
        (PITCH, "three half-tones higher", {"semitones": 3}),
        (PITCH, "an octave lower", {"semitones": -12}),
        (PITCH, "too high for me, bring it down five semitones", {"semitones": -5}),
        (PITCH, "zwei Halbtöne tiefer", {"semitones": -2}),
    ],
)
def test_a_unit_finds_its_port_and_down_turns_the_sign(spec, text, values):
    assert said(spec, text) == values


@pytest.mark.parametrize(
    ("text", "speed"),
    [
        ("half speed", 0.5),
        ("slow it down to half", 0.5),
        ("at a quarter of the speed", 0.25),
        ("double the speed", 2),
        ("twice as fast", 2),
        ("three times as fast", 3),
        ("ten times faster", 10),
        ("two times slower", 0.5),
        ("1.5x", 1.5),
        ("at 1.5 x speed", 1.5),
        ("50 % faster", 1.5),
        ("50 percent slower", 0.5),
        ("play it at 80 %", 0.8),
        ("speed it up by 25 percent", 1.25),
        ("slow it down by 20 %", 0.8),
        ("doppelt so schnell", 2),
        ("dreimal so schnell, 3 mal", 3),
        ("deux fois plus vite", 2),
        ("el doble de rápido", 2),
        ("两倍速度", 2),
        ("faster", None),
        ("70 times as fast", None),
    ],
)
def test_parts_and_multiples_are_factors(text, speed):
    assert said(SPEED, text).get("speed") == speed


@pytest.mark.parametrize(
    ("spec", "text", "values"),
    [
        (SIZE, "800 pixels wide", {"width": 800}),
        (SIZE, "make it 480 px wide so that I can mail it", {"width": 480}),
        (SIZE, "width 300, height 200", {"width": 300, "height": 200}),
        (SIZE, "to 1280x720", {"width": 1280, "height": 720}),
        (SIZE, "in 720p", {"height": 720}),
        (SIZE, "make it 4k", {"height": 2160}),
        (SIZE, "to 1280 × 720 pixels", {"width": 1280, "height": 720}),
        (SIZE, "120 by 40", {"width": 120, "height": 40}),
        (SIZE, "200 wide and 100 high", {"width": 200, "height": 100}),
        (SIZE, "600 Pixel breit", {"width": 600}),
        (SIZE, "400 píxeles de ancho", {"width": 400}),
        (SIZE, "30% of its size", {"percent": 30}),
        (SIZE, "make it 20 percent smaller", {"percent": 80}),
        (SIZE, "shrink it to 30 percent", {"percent": 30}),
        (SIZE, "auf 30 % verkleinern", {"percent": 30}),
        (SIZE, "um 30 % verkleinern", {"percent": 70}),
        (SIZE, "half its size", {"percent": 50}),
        (SIZE, "double the size", {"percent": 200}),
        (PLACE, "at x 120 and y 40", {"x": 120, "y": 40}),
        (PLACE, "at x=120, y=40", {"x": 120, "y": 40}),
        (PLACE, "at 120, 40", {}),
        (PLACE, "with 30 % opacity at y 7", {"y": 7, "opacity": 0.3}),
        (INSET, "a quarter of the width", {"size": 25}),
        (INSET, "with a size of 40 percent", {"size": 40}),
    ],
)
def test_sizes_and_places(spec, text, values):
    assert said(spec, text) == values


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("between 3 and 7 seconds", 3, 7),
        ("from 3 to 7 s", 3, 7),
        ("seconds 3 to 7", 3, 7),
        ("from second 3 to second 7", 3, 7),
        ("3-7 seconds", 3, 7),
        ("1:30 to 2:10", 90, 130),
        ("from 0:10 until 0:20", 10, 20),
        ("von 3 bis 7", 3, 7),
        ("zwischen 3 und 7 Sekunden", 3, 7),
        ("entre 3 et 7 secondes", 3, 7),
        ("de 3 a 7 segundos", 3, 7),
        ("从 3 到 7 秒", 3, 7),
        ("from half a minute to 2 minutes", 30, 120),
        ("1 to 2 minutes", 60, 120),
        ("the first 5 seconds", None, 5),
        ("the first minute of talk.mp3", None, 60),
        ("die ersten 5 Sekunden", None, 5),
        ("les 5 premières secondes", None, 5),
        ("until 0:45", None, 45),
        ("keep everything after 1:30", 90, None),
        ("drop everything after 1:30", None, 90),
        ("cut out the first 10 seconds", 10, None),
        ("skip the first 10 seconds", 10, None),
        ("cut the tour to its first 10 seconds", None, 10),
        ("keep everything after 58 seconds, hum out", 58, None),
        ("start at 12.5 s", 12.5, None),
        ("take 3 sec from 0:02", 2, 5),
        ("take 2 seconds starting at 0:05", 5, 7),
        ("from second 5 on keep two seconds", 5, 7),
        ("keep one minute from 0:30", 30, 90),
        ("the 5 seconds before 0:20", 15, 20),
        ("ab 0:05 zwei Sekunden", 5, 7),
        ("ab der 5. Sekunde zwei Sekunden", 5, 7),
        ("ein Stück von 3 Sekunden ab 0:02", 2, 5),
        ("von der 2. bis zur 4. Minute", 120, 240),
        ("3 secondes à partir de 0:02", 2, 5),
        ("30 secondes à partir de la 10e seconde", 10, 40),
        ("desde el segundo 4, tres segundos", 4, 7),
        ("从0:05开始取2秒", 5, 7),
        ("the last 5 seconds", None, None),
        ("trim talk.wav", None, None),
    ],
)
def test_ranges_go_to_start_and_end(text, start, end):
    found = said(CUT, text)
    assert (found.get("start"), found.get("end")) == (start, end)


@pytest.mark.parametrize(
    ("spec", "text", "values"),
    [
        (LIGHT, "darken it by 30%", {"brightness": -0.3}),
        (LIGHT, "30 % darker", {"brightness": -0.3}),
        (LIGHT, "raise the contrast by 20 percent", {"contrast": 0.2}),
        (LIGHT, "raise the contrast of scan.png by 20 percent", {"contrast": 0.2}),
        (LIGHT, "10 % less contrast", {"contrast": -0.1}),
        (LIGHT, "brightness 0.4, contrast -0.2", {"brightness": 0.4, "contrast": -0.2}),
        (LIGHT, "20 Prozent heller", {"brightness": 0.2}),
        (VEIL, "by 40 percent", {"strength": 0.4}),
        (VEIL, "strength 0.3", {"strength": 0.3}),
        (VEIL, "a veil of strength 7", {}),
    ],
)
def test_percent_follows_the_range_of_the_port(spec, text, values):
    assert said(spec, text) == values


@pytest.mark.parametrize(
    ("spec", "text", "values"),
    [
        (SHORT, "in three sentences", {"sentences": 3}),
        (SHORT, "to two sentences", {"sentences": 2}),
        (SHORT, "in a dozen sentences", {"sentences": 12}),
        (SHORT, "one sentence only", {"sentences": 1}),
        (SHORT, "in drei Sätzen", {"sentences": 3}),
        (SHORT, "en deux phrases", {"sentences": 2}),
        (SHORT, "en cuatro frases", {"sentences": 4}),
        (SHORT, "用三句话总结", {"sentences": 3}),
        (SHORT, "summarise the second chapter", {}),
        (SHORT, "make one of it", {}),
        (TERMS, "5 tags for blog.md", {"count": 5}),
        (TERMS, "the top 5 keywords", {"count": 5}),
        (TERMS, "at most ten tags", {"count": 10}),
        (TERMS, "the tags of these 3 texts", {}),
        (TERMS, "tags for notes2.txt and part 2.txt", {}),
        (PAGES, "pages 3 to 5", {"first_page": 3, "last_page": 5}),
        (ECHO, "every half a second", {"delay": 0.5}),
        (ECHO, "it comes back three times", {"repeats": 3}),
        (ECHO, "4 echoes, 200 ms apart", {"repeats": 4, "delay": 0.2}),
        (FADES, "fade it out over 5 seconds", {"fade_out": 5}),
        (FADES, "fade in over 2 seconds and out over 5 seconds", {"fade_in": 2, "fade_out": 5}),
        (FADES, "let it die away over its last 4 seconds", {"fade_out": 4}),
        (ROOM, "200 pixels of space on the left", {"left": 200}),
        (ROOM, "50 pixels on every side", {"left": 50, "right": 50, "top": 50, "bottom": 50}),
        (FRAME, "a red frame around poster.png, 30 pixels thick", {"width": 30, "colour": "red"}),
        (FRAME, "a #ff8800 frame", {"colour": "#ff8800"}),
        (FRAME, "a light blue frame", {"colour": "light blue"}),
        (FRAME, "ein roter Rahmen, 20 Pixel breit", {"width": 20, "colour": "red"}),
        (FRAME, "a frame, but not red", {}),
        (FRAME, "grey out all but the red frame", {"colour": "red"}),
        (FRAME, "a frame around the black and white picture", {}),
    ],
)
def test_counts_and_measures(spec, text, values):
    assert said(spec, text) == values
