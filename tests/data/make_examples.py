"""Makes resources/examples: `python -m tests.data.make_examples`. Needs espeak-ng and the font in resources/fonts."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import numpy as np
import soundfile
from PIL import Image, ImageDraw, ImageFont, ImageOps
from skimage import data

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "examples"
FONT = next((FOLDER.parent / "fonts").glob("Inter*Regular*"), None)

RECEIPT = (
    ("GREEN CORNER CAFE", 34),
    ("12 Harbour Street", 24),
    ("", 12),
    ("2 Espresso          5.20", 26),
    ("1 Lemon cake        4.50", 26),
    ("1 Orange juice      3.80", 26),
    ("", 12),
    ("Total              13.50", 32),
    ("", 12),
    ("Thank you for your visit", 24),
)

CITIES = """City,Country,People
Oslo,Norway,717000
Lisbon,Portugal,548000
Vienna,Austria,1975000
Cairo,Egypt,10100000
"""

NOTES = """Minutes of the garden committee, 12 November

The committee met at ten in the old school house. Nine members were present and Ruth took the minutes. \
Costs for the year are four percent over plan because the second greenhouse was finished late. \
The treasurer showed that the plant sale in May brought in more money than in any year before. \
Two options for the empty field were discussed, a meadow for bees and a small orchard. \
The orchard needs more work in the first three years but gives fruit to the school kitchen. \
The meadow costs almost nothing and can be sown next spring. \
After a long talk the committee chose the orchard, with seven votes for it and two against. \
Tom will ask three nurseries for prices of apple and pear trees before the end of the month. \
The water pipe to the field has to be repaired first, and the town will pay half of it. \
The next meeting is on 10 December, and everyone is asked to bring a cake.
"""

TALK = (
    "Good morning. The train to the coast leaves from platform four at half past nine. "
    "Please keep your luggage with you."
)


def main() -> None:
    """Writes every example file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    Image.fromarray(data.coffee()).save(FOLDER / "coffee.jpg", quality=90)
    Image.fromarray(data.chelsea()).save(FOLDER / "cat.jpg", quality=90)
    Image.fromarray(data.coins()).convert("RGB").save(FOLDER / "coins.jpg", quality=90)
    Image.fromarray(data.rocket()).save(FOLDER / "rocket.jpg", quality=90)
    group().save(FOLDER / "group.jpg", quality=90)
    receipt().save(FOLDER / "receipt.png")
    (FOLDER / "notes.txt").write_text(NOTES, "utf-8")
    (FOLDER / "cities.csv").write_text(CITIES, "utf-8")
    samples, rate = talk()
    soundfile.write(FOLDER / "talk.wav", samples, rate, subtype="PCM_16")


def group() -> Image.Image:
    """Three portraits on a wall, from NASA's picture of Eileen Collins: as it is, mirrored, and toned."""
    portrait = Image.fromarray(data.astronaut()).crop((60, 0, 400, 400))
    toned = ImageOps.colorize(ImageOps.grayscale(portrait), "#20140c", "#fff1dc")
    wall = Image.new("RGB", (1190, 520), "#7d8a83")
    for i, picture in enumerate((portrait, ImageOps.mirror(portrait), toned)):
        size = (300, 353) if i != 1 else (330, 388)
        place = (60 + i * 375 - 15 * (i == 1), 80 if i != 1 else 60)
        frame = (place[0] - 12, place[1] - 12, place[0] + size[0] + 12, place[1] + size[1] + 12)
        ImageDraw.Draw(wall).rectangle(frame, fill="#f4efe4", outline="#4b3a2a", width=5)
        wall.paste(picture.resize(size, Image.Resampling.LANCZOS), place)
    return wall


def receipt() -> Image.Image:
    """A till receipt, printed a little grey and lying a little askew."""
    paper = Image.new("RGB", (520, 640), "#fbfaf5")
    draw = ImageDraw.Draw(paper)
    y = 50
    for line, size in RECEIPT:
        font = ImageFont.truetype(FONT, size) if FONT else ImageFont.load_default(size)
        left, _, right = line.partition("   ")
        draw.text((50, y), left, font=font, fill="#2b2b2e")
        if right:
            draw.text((470, y), right.strip(), font=font, fill="#2b2b2e", anchor="ra")
        y += size + 24
    return paper.rotate(1.2, Image.Resampling.BICUBIC, expand=True, fillcolor="#c9c2b4")


def talk() -> tuple[np.ndarray, int]:
    """A station announcement (espeak-ng) under hiss and mains hum."""
    spoken = subprocess.run(["espeak-ng", "-s", "150", "--stdout", TALK], capture_output=True, check=True).stdout
    samples, rate = soundfile.read(io.BytesIO(spoken), dtype="float32")
    samples = np.concatenate([np.zeros(rate // 2), samples * 0.6, np.zeros(rate // 2)])
    time = np.arange(len(samples)) / rate
    noise = np.random.default_rng(7).normal(0, 0.02, len(samples)) + 0.015 * np.sin(2 * np.pi * 50 * time)
    return (samples + noise).astype(np.float32), rate


if __name__ == "__main__":
    main()
