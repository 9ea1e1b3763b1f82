"""Tiny models, made once, laid out as the catalogue lays out the real ones; a context that listens; an empty pool."""

from __future__ import annotations

import gc
import os
import warnings
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

from nodes._support.models import model_pool
from nodes.api import Cancelled, RunContext
from tests.nodes.models.tiny import (
    builders,
    film_and_music_builders,
    flow_builders,
    onnx_builders,
    vision_builders,
    word_and_sound_builders,
)

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["HF_HUB_OFFLINE"] = "1"  # whoever asks the hub for something is found out

LAYOUT = {
    "yolos-tiny": builders.yolos,
    "rt-detr-r50": builders.rt_detr,
    "sam-vit-base": builders.sam,
    "sd-1-5": builders.stable_diffusion,
    "lcm-dreamshaper-7": builders.latent_consistency,
    "sdxl-base-1": builders.stable_diffusion_xl,
    "controlnet-canny": builders.controlnet,
    "controlnet-depth": builders.controlnet,
    "controlnet-union-sdxl": builders.controlnet_union,
    "controlnet-union-qwen": flow_builders.qwen_controlnet,
    "whisper-base": builders.whisper,
    "qwen2-5-0-5b": builders.chat,
    "sd-1-5-inpainting": builders.inpainting,
    "instruct-pix2pix": builders.instruct,
    "marigold-normals-1-1": builders.marigold,
    "marigold-depth-1-1": builders.marigold_depth,
    "rf-detr-base": vision_builders.rf_detr,
    "d-fine-small": vision_builders.d_fine,
    "oneformer-coco-large": vision_builders.oneformer,
    "swin2sr-classical-x2": builders.swin2sr,
    "depth-anything-v2-small": vision_builders.depth_anything,
    "vit-base": vision_builders.vit,
    "clip-vit-b-32": vision_builders.clip,
    "clipseg-rd64": vision_builders.clipseg,
    "blip-large": vision_builders.blip,
    "blip-vqa-base": vision_builders.blip_question,
    "vilt-b32-vqa": vision_builders.vilt,
    "llava-interleave-0-5b": vision_builders.llava,
    "grounding-dino-tiny": vision_builders.grounding_dino,
    "llmdet-tiny": vision_builders.llmdet,
    "owlv2-base": vision_builders.owlv2,
    "segformer-b0-ade": vision_builders.segformer,
    "mask2former-tiny-coco-panoptic": vision_builders.mask2former,
    "vitpose-base-simple": vision_builders.vitpose,
    "sentiments-multilingual": word_and_sound_builders.moods,
    "mdeberta-xnli": word_and_sound_builders.inference,
    "bert-base-ner": word_and_sound_builders.tagger,
    "roberta-squad2": word_and_sound_builders.reader,
    "nllb-200-600m": word_and_sound_builders.nllb,
    "opus-mt-en-de": word_and_sound_builders.marian,
    "opus-mt-fr-en": word_and_sound_builders.marian,
    "opus-mt-en-zh": word_and_sound_builders.marian,
    "tapex-base-wtq": word_and_sound_builders.table_reader,
    "layoutlm-document-qa": word_and_sound_builders.page_reader,
    "minilm-multilingual": word_and_sound_builders.embedder,
    "bart-large-cnn": word_and_sound_builders.summariser,
    "madlad-400-3b": word_and_sound_builders.translator,
    "ast-audioset": word_and_sound_builders.sound_classifier,
    "clap-htsat": word_and_sound_builders.clap,
    "moonshine-tiny": word_and_sound_builders.moonshine,
    "parakeet-tdt-0-6b-v3": word_and_sound_builders.parakeet,
    "faster-whisper-tiny": word_and_sound_builders.faster_whisper,
    "kokoro-82m": onnx_builders.kokoro,
    "birefnet-lite": onnx_builders.of_one_size,
    "dexined": partial(onnx_builders.of_one_size, strength=0.02),  # it is shown 0..255
    "scunet-psnr": onnx_builders.of_any_size,
    "nafnet-gopro": onnx_builders.of_any_size,
    "canary-1b-v2": word_and_sound_builders.canary,
    "qwen3-asr-1-7b": word_and_sound_builders.qwen_asr,
    "mms-tts-eng": word_and_sound_builders.vits,
    "vits-ljs": word_and_sound_builders.vits_of_sounds,
    "speecht5-tts": word_and_sound_builders.speecht5,
    "speecht5-hifigan": word_and_sound_builders.speecht5_vocoder,
    "speecht5-settings": word_and_sound_builders.speecht5_letters,
    "musicgen-small": word_and_sound_builders.musicgen,
    "stable-audio-open-1": film_and_music_builders.stable_audio,
    "ace-step-1-5-xl-turbo": film_and_music_builders.ace_step,
    "videomae-kinetics": word_and_sound_builders.videomae,
    "wan-2-1-1-3b": word_and_sound_builders.wan,
    "wan-2-2-5b": word_and_sound_builders.wan_of_pictures,
    "ltx-video": film_and_music_builders.ltx,
    "stable-video-xt": film_and_music_builders.stable_video,
    "sam2-1-tiny": vision_builders.sam2,
    "smolvlm-256m": vision_builders.smolvlm,
    "qwen3-vl-2b": vision_builders.qwen_vl,
    "florence-2-base": vision_builders.florence,
    "trocr-base-printed": vision_builders.trocr,
    "dinov2-small": vision_builders.dinov2,
    "eomt-large-coco-panoptic": vision_builders.eomt,
    "flux-2-klein-4b": flow_builders.klein,
    "z-image-turbo": flow_builders.z_image,
    "qwen-image": flow_builders.qwen_image,
    "qwen-image-edit-2511": flow_builders.qwen_image_edit,
    "qwen-image-layered": flow_builders.qwen_image_layered,
    "flux-1-kontext-dev": flow_builders.kontext,
    **{f"controlnet-{name}": builders.controlnet for name in ("mlsd", "softedge", "scribble", "pose", "normal", "seg")},
}
NEEDED = {id: ("sd-1-5",) for id in LAYOUT if id.startswith("controlnet-")} | {
    "controlnet-union-sdxl": ("sdxl-base-1",),
    "controlnet-union-qwen": ("qwen-image",),
    "vitpose-base-simple": ("yolos-tiny",),
    "speecht5-tts": ("speecht5-hifigan", "speecht5-settings"),
}


class Listening(RunContext):
    """Keeps what is reported; `stop_after` so many looks (progress or check) it is cancelled."""

    def __init__(self, folder: Path, model: Path | None = None, device: str = "cpu") -> None:
        super().__init__(folder)
        self.model, self.device = model, device
        self.told: list[tuple[float, str, np.ndarray | None]] = []
        self.looks = 0
        self.stop_after: int | None = None

    def progress(self, fraction: float, note: str = "", preview: np.ndarray | None = None) -> None:
        self.told.append((fraction, note, preview))
        self.check()

    def check(self) -> None:
        self.looks += 1
        if self.stop_after is not None and self.looks > self.stop_after:
            raise Cancelled

    @property
    def notes(self) -> list[str]:
        return [note for _, note, _ in self.told]

    @property
    def previews(self) -> list[np.ndarray]:
        return [preview for _, _, preview in self.told if preview is not None]


def maker(root: Path) -> Callable[[str], Path]:
    """Gives the folder of the tiny model of an id, which is made below `root` when it is first asked for."""
    import torch

    torch.set_num_threads(1)

    @cache
    def folder(id: str) -> Path:
        for needed in NEEDED.get(id, ()):
            folder(needed)
        with warnings.catch_warnings():  # whichever test is the first to need it
            warnings.filterwarnings("ignore", ".*weight_norm", FutureWarning)
            return LAYOUT[id](root / id)

    return folder


@pytest.fixture(scope="session")
def model_of(tmp_path_factory) -> Callable[[str], Path]:
    return maker(tmp_path_factory.mktemp("models"))


@pytest.fixture
def context_for(model_of, tmp_path):
    """Makes a context whose model is that of an id."""
    return lambda id, device="cpu": Listening(tmp_path, model_of(id), device)


@pytest.fixture(autouse=True)
def fresh_pool():
    """An empty pool for each test."""
    model_pool.pool.cache_clear()
    pool = model_pool.pool()
    yield pool
    pool.close()
    gc.freeze()  # the libraries that the test has loaded: else the pool looks through them whenever a model goes


@pytest.fixture
def picture() -> np.ndarray:
    """A picture (60, 90, 3) with a red disc on grey noise."""
    rng = np.random.default_rng(0)
    image = rng.integers(90, 130, (60, 90, 3), dtype=np.uint8)
    rows, columns = np.ogrid[:60, :90]
    image[(rows - 30) ** 2 + (columns - 40) ** 2 < 300] = (200, 30, 30)
    return image
