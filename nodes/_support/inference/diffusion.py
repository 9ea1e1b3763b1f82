"""Pictures out of noise with diffusers: loading, sizes, progress and preview at each step, stopping, memory.

Nothing here knows a tool. Pictures are uint8 (height, width, 3) RGB.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import inspect
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nodes._support.models import models
from nodes._support.models.model_pool import Entry, Step, float_type, pool, with_ladder
from nodes._support.models.placement import Way
from nodes._support.models.weights import composition, control_kind, half_precision, header, is_wide
from nodes.api import NodeError, Phrase, RunContext
from nodes.catalogue import catalogue

_PREVIEW_CELLS = 24
"""Previews are decoded from latents of at most so many cells a side: about 190 pixels, cheap beside a step."""
_ABSENT = ("safety_checker", "feature_extractor", "image_encoder")


GUIDANCE = 7.0
"""How closely models with a U-Net follow the words best."""
_PAINTED_SIDE = 1024
"""Pixels of the sides that models paint which do not say it themselves."""
_FLOW_STRENGTH = 1.0
"""What is under a mask is painted out of nothing but noise: the newer pipelines keep some of it by themselves."""
_KINDS = {
    "": "DiffusionPipeline",
    "image": "AutoPipelineForImage2Image",
    "inpaint": "AutoPipelineForInpainting",
    "film": "WanImageToVideoPipeline",
}
_STEERED = {
    "ControlNetModel": "StableDiffusionControlNetPipeline",
    "ControlNetUnionModel": "StableDiffusionXLControlNetUnionPipeline",
    "QwenImageControlNetModel": "QwenImageControlNetPipeline",
}
"""The pipelines that kinds of ControlNets steer."""
_MADE_WIDE = ("LTXPipeline",)
"""Pipelines that were made in bfloat16, though their weights are saved in 32 bits."""
_LORA = re.compile(r"[._](lora_down|lora_A|lora\.down|down)\.weight$")
_OTHER_KINDS = {
    ("Flux2KleinPipeline", "inpaint"): "Flux2KleinInpaintPipeline",
    ("FluxKontextPipeline", "inpaint"): "FluxKontextInpaintPipeline",
    ("LTXPipeline", "film"): "LTXImageToVideoPipeline",
    ("StableVideoDiffusionPipeline", "film"): "StableVideoDiffusionPipeline",
}
"""Pipelines that the library's own choice by kind leaves out."""


class Lora(NamedTuple):
    """A LoRA file that somebody gave, and how strongly it works."""

    file: Path
    weight: float

    @classmethod
    def of(cls, file: Path | None, weight: float) -> Lora | None:
        """None without a file, or without weight. Raises NodeError naming `lora` when it holds no LoRA."""
        if file is None or not weight:
            return None
        if file.suffix != ".safetensors":
            said = Phrase("{path} is no .safetensors file.", path=file.name)
            raise NodeError(said, "lora", "Other kinds may run code when they are read.")
        if not any(_LORA.search(name) for name in header(file)):
            said = Phrase("{file} is no LoRA.", file=file.name)
            raise NodeError(said, "lora", "Choose a file that changes a model.")
        return cls(file, weight)

    @property
    def name(self) -> str:
        """Another for each content and weight."""
        with open(self.file, "rb") as stream:
            return f"{hashlib.file_digest(stream, 'blake2b').hexdigest()[:32]} {self.weight:g}"


@contextlib.contextmanager
def leased(context: RunContext, kind: str = "", lora: Lora | None = None) -> Iterator[Entry]:
    """The pool's entry with the back end's pipeline of a kind (see `load_pipeline`) for the time of the block."""
    folder = models.model_folder(context)

    def load(device: str, way: Way) -> Any:
        return load_pipeline(folder, device, way, kind=kind, lora=lora)

    name = f"pipeline {kind} {lora.name if lora else ''}".strip()
    with pool().lease(folder, name, load, context, staged=True) as entry:
        yield entry


def load_pipeline(
    folder: Path, device: str, way: Way = Way.WHOLE, control: Path | None = None, kind: str = "",
    lora: Lora | None = None,
) -> Any:  # fmt: skip
    """The pipeline that lies in `folder`, with a ControlNet from `control` and a LoRA on it if given, which works on
    `device` in that way. Raises NodeError.

    `kind` "image" is for one that begins with a picture, "inpaint" for one that fills a part of a picture, whichever
    of the three the model was saved as, "film" for a film that begins with a picture; "" for the one that it was saved
    as. A composed model (weights.COMPOSITION) is
    a checkpoint with the settings of another, or another with LoRA files on it.
    """
    pipeline = _loaded(folder, _float_type(folder, device, way), control, kind)
    if lora is not None:
        _add_loras(pipeline, lora.file.parent, [(lora.file.name, lora.weight)], folder.name)
    _arrange(pipeline, device, way)
    return pipeline


def _arrange(pipeline: Any, device: str, way: Way) -> None:
    """Has the pipeline work on the device in that way: what waits for its turn is in the machine's memory."""
    pipeline.remove_all_hooks()
    pipeline._exclude_from_cpu_offload = [*type(pipeline)._exclude_from_cpu_offload, "vae"]  # each preview needs it
    order = type(pipeline).model_cpu_offload_seq or ""
    pipeline.model_cpu_offload_seq = "->".join(part for part in order.split("->") if part != "vae")
    if way is Way.PARTS:
        pipeline.enable_model_cpu_offload(device=device)
    elif way is Way.LAYERS:
        pipeline.enable_sequential_cpu_offload(device=device)
    else:
        pipeline.to(device)


def _loaded(folder: Path, kind_of_floats: Any, control: Path | None, kind: str) -> Any:
    """The pipeline, in the machine's memory."""
    made_of = composition(folder)
    if "loras" in made_of:
        pipeline = _loaded(folder.parent / made_of["base"], kind_of_floats, control, kind)
        _add_loras(pipeline, folder, made_of["loras"], made_of["base"])
        return pipeline
    diffusers: Any = importlib.import_module("diffusers")  # makes its names when they are asked for
    diffusers.utils.logging.disable_progress_bar()
    options: dict[str, Any] = {"dtype": kind_of_floats, "local_files_only": True}
    with models.loading(folder):
        steered = ""
        if control is not None:
            steering, steered = _steering(control)
            network = getattr(diffusers, steering).from_pretrained(
                control, variant=half_precision(control), use_safetensors=True, **options
            )
            options |= {"controlnet": network}
        if "checkpoint" in made_of:
            pipeline = _from_checkpoint(diffusers, folder, made_of, kind, options, steered)
        else:
            index = json.loads((folder / "model_index.json").read_text("utf-8"))
            given = options | {"variant": half_precision(folder), "use_safetensors": True} | _left_out(folder, index)
            maker = steered or _OTHER_KINDS.get((index["_class_name"], kind), _KINDS[kind])
            pipeline = getattr(diffusers, maker).from_pretrained(folder, **given)
    if isinstance(pipeline.scheduler, diffusers.PNDMScheduler):  # needs twice the steps for the same picture
        pipeline.scheduler = diffusers.DPMSolverMultistepScheduler.from_config(pipeline.scheduler.config)
    pipeline.set_progress_bar_config(disable=True)
    pipeline.entry = catalogue().get(folder.name)  # says how long and how closely it works at its best
    return pipeline


def _steering(control: Path) -> tuple[str, str]:
    """The class of the ControlNet that lies there, and of the pipeline that it steers. Raises NodeError."""
    kind = control_kind(json.loads((control / "config.json").read_text("utf-8")))
    if kind not in _STEERED:
        said = Phrase("The model '{model}' is a ControlNet of a kind that is not known: {kind}.", model=control.name,
                      kind=kind)  # fmt: skip
        raise NodeError(said, "", "Choose another back end.")
    return kind, _STEERED[kind]


def _from_checkpoint(
    diffusers: Any, folder: Path, made_of: Mapping[str, str], kind: str, options: Any, steered: str = ""
) -> Any:
    """A pipeline out of a single file, with the settings and the words of the model that it is based on."""
    base = models.beside(folder, made_of["base"])
    index = json.loads((base / "model_index.json").read_text("utf-8"))
    maker = getattr(diffusers, steered or index["_class_name"])
    given = options | {"config": str(base)} | _left_out(base, index)
    pipeline = maker.from_single_file(str(folder / made_of["checkpoint"]), **given)
    return pipeline if steered or not kind else getattr(diffusers, _KINDS[kind]).from_pipe(pipeline)


def _add_loras(pipeline: Any, folder: Path, loras: Sequence[tuple[str, float]], model: str) -> None:
    """Puts the LoRA files (Hu et al. 2021) of `folder` on the pipeline, each with its weight, beside those on it."""
    worn = dict(getattr(pipeline, "loras", {}))
    for name, weight in loras:
        adapter = f"lora{len(worn)}"
        worn[adapter] = weight
        try:
            pipeline.load_lora_weights(folder, weight_name=name, adapter_name=adapter, local_files_only=True)
            pipeline.set_adapters(list(worn), list(worn.values()))
        except (RuntimeError, ValueError, KeyError, AttributeError) as error:  # of other sizes, or for other parts
            said = Phrase("{file} is a LoRA for another kind of model than {model}.", file=name, model=model)
            raise NodeError(said, "", "Choose the kind of model that it was made for.") from error
    pipeline.loras = worn


def paint(
    entry: Entry,
    width: int,
    height: int,
    steps: int | None,
    seed: int,
    arguments: Mapping[str, Any],
    context: RunContext,
) -> np.ndarray:
    """A picture of `width` x `height` pixels by the pipeline of a pool's entry; the same seed gives the same picture.

    `arguments` go to the pipeline, but for those that it does not take. Without `steps` it takes as many as its kind
    needs. Each step is told with a preview. Goes down the ladder when memory runs out.
    """
    pipeline = entry.model
    known = inspect.signature(pipeline.__call__).parameters
    given = taken(pipeline, arguments)
    cell = cell_of(pipeline)
    sides = {"width": width, "height": height}
    if "max_area" in known:  # else it makes a picture of that form, but of a megapixel
        given["max_area"] = width * height
    given |= {name: max(cell, -(-side // cell) * cell) for name, side in sides.items() if name in known}
    given["num_inference_steps"] = steps or own_steps(pipeline)
    given |= _guided(pipeline, known, given)

    wide = given.get("width", width)
    picture = made(entry, given, seed, context, lambda latents: preview(pipeline, latents, wide))
    return np.ascontiguousarray(picture[..., :height, :width, :])


def taken(pipeline: Any, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the arguments that the pipeline takes."""
    known = inspect.signature(pipeline.__call__).parameters
    return {name: value for name, value in arguments.items() if name in known}


def made(
    entry: Entry,
    given: Mapping[str, Any],
    seed: int,
    context: RunContext,
    look: Callable[[Any], np.ndarray] | None = None,
) -> np.ndarray:
    """What the pipeline of a pool's entry makes: pictures in bytes, or sound as float (channels, samples).

    The same seed gives the same. Each step is told, with what `look` makes of its latents. Goes down the ladder when
    memory runs out.
    """
    return with_ladder(lambda: _made(entry.model, given, seed, context, look), _rungs(entry), context)


def looked_at(rgb: np.ndarray, seed: int, context: RunContext) -> np.ndarray:
    """What the back end's pipeline, one that looks at a picture (Marigold), says of each place: float (rows, columns,
    values). It tells nothing of its steps, and stops within one. NodeError naming `image` for a tiny picture.
    """
    from PIL import Image

    if min(rgb.shape[:2]) < 8:
        raise NodeError("The picture is too small to look at.", "image", "Use a larger picture.")
    given = {"image": Image.fromarray(rgb), "output_type": "np"}

    def look(pipeline: Any) -> np.ndarray:
        import torch

        networks = [part for part in pipeline.components.values() if isinstance(part, torch.nn.Module)]
        with models.running(context, *networks):
            context.progress(0.1, "looking at the picture")
            return pipeline(**given, generator=torch.Generator("cpu").manual_seed(seed)).prediction[0]

    with leased(context) as entry:
        return with_ladder(lambda: look(entry.model), _rungs(entry), context)


def cell_of(pipeline: Any) -> int:
    """The sides of what the pipeline paints are multiples of so many pixels."""
    return math.lcm(8, pipeline.image_processor.config.vae_scale_factor)


def own_steps(pipeline: Any) -> int:
    """How many steps give a good picture: what the catalogue says, few for a model made to be quick, else 25."""
    if pipeline.entry and pipeline.entry.steps:
        return pipeline.entry.steps
    if getattr(pipeline, "is_turbo", False):  # of ACE-Step
        return 8
    quick = "LCM" in type(pipeline.scheduler).__name__ or pipeline.config.get("is_distilled")
    return 4 if quick else 25


def own_side(pipeline: Any) -> int:
    """The side in pixels of the pictures that the model was made with."""
    network = getattr(pipeline, "unet", None) or pipeline.transformer
    size = getattr(network.config, "sample_size", None) or getattr(pipeline, "default_sample_size", 0)
    if not size:
        return _PAINTED_SIDE
    return (size if isinstance(size, int) else max(size)) * pipeline.vae_scale_factor


def _guided(pipeline: Any, known: Mapping[str, inspect.Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """How closely it follows the words, in the pipeline's own terms; as suits the model where nobody said."""
    true = "guidance_scale" not in known or ("true_cfg_scale" in known and known["true_cfg_scale"].default > 1)
    name = "true_cfg_scale" if true else "guidance_scale"
    if name not in known:
        return {}
    wanted = given.get("guidance_scale")
    if wanted is None and pipeline.entry:
        wanted = pipeline.entry.guidance
    if wanted is None:
        wanted = GUIDANCE if hasattr(pipeline, "unet") else known[name].default
    found: dict[str, Any] = {name: float(wanted)}
    if true and found[name] > 1:  # without words its second pass is off
        found["negative_prompt"] = given.get("negative_prompt") or " "
    if true and "guidance_scale" in known:
        found["guidance_scale"] = None
    if "mask_image" in given and not hasattr(pipeline, "unet"):
        found.setdefault("strength", given.get("strength", _FLOW_STRENGTH))
    return found


def check_prompt(prompt: str, port: str = "prompt") -> str:
    """The prompt without blanks around it. Raises NodeError when nothing is left."""
    if not prompt.strip():
        raise NodeError("The description of the picture is empty.", port, "Say what the picture should show.")
    return prompt.strip()


def preview(pipeline: Any, latents: Any, width: int) -> np.ndarray:
    """What the latents (1, channels, rows, columns) look like so far, small; of a film (1, channels, pictures, rows,
    columns) its first picture. Those of the newer pipelines are (1, patches, channels) of what is `width` pixels wide.
    """
    import torch

    vae = pipeline.vae
    if latents.ndim == 3:
        latents = _laid_out(pipeline, latents, width)
    film = latents.ndim == 5
    latents = smaller(latents[:, :, 0] if film else latents)
    if film:
        mean, spread = (torch.tensor(each).to(latents).view(1, -1, 1, 1)
                        for each in (vae.config.latents_mean, vae.config.latents_std))  # fmt: skip
        decoded = vae.decode((latents * spread + mean).to(vae.dtype)[:, :, None], return_dict=False)[0][0, :3, 0]
        return shown(decoded)
    kind = vae.dtype
    wide = kind == torch.float16 and getattr(vae.config, "force_upcast", False)
    try:
        if wide:
            vae.to(torch.float32)
        scaling, shift = (getattr(vae.config, name, None) for name in ("scaling_factor", "shift_factor"))
        latents = latents.to(vae.dtype) / (scaling or 1) + (shift or 0)
        decoded = vae.decode(latents, return_dict=False)[0][0]
    finally:
        if wide:
            vae.to(kind)
    return shown(decoded)


def smaller(latents: Any) -> Any:
    """Latents (1, channels, rows, columns) of few enough cells to be decoded as a preview."""
    import torch

    scale = min(1.0, _PREVIEW_CELLS / max(latents.shape[-2:]))
    return torch.nn.functional.interpolate(latents, scale_factor=scale, mode="area") if scale < 1 else latents


def shown(decoded: Any) -> np.ndarray:
    """A decoded picture (3, rows, columns) of -1..1 in bytes."""
    picture = decoded.float().cpu().numpy().transpose(1, 2, 0)
    return np.clip(np.nan_to_num(picture) * 127.5 + 127.5, 0, 255).astype(np.uint8)


def _laid_out(pipeline: Any, patches: Any, width: int) -> Any:
    """Latents (1, patches, channels of each cell), a patch being 2 x 2 cells or one, in rows and columns; of a film's
    kind of VAE with its one picture.
    """
    vae = pipeline.vae
    cells = 1 if patches.shape[-1] == getattr(vae.config, "z_dim", 0) else 2
    if hasattr(vae, "bn"):
        patches = patches * (vae.bn.running_var + vae.config.batch_norm_eps).sqrt() + vae.bn.running_mean
    columns = width // pipeline.image_processor.config.vae_scale_factor
    rows = patches.shape[1] // columns
    rowed = patches[:, : rows * columns].reshape(1, rows, columns, -1, cells, cells)
    spread = rowed.permute(0, 3, 1, 4, 2, 5).reshape(1, -1, cells * rows, cells * columns)
    return spread[:, :, None] if hasattr(vae.config, "latents_mean") and hasattr(vae.config, "z_dim") else spread


def _made(
    pipeline: Any, given: Mapping[str, Any], seed: int, context: RunContext, look: Callable[[Any], np.ndarray] | None
) -> np.ndarray:
    import torch

    def told(step: int, latents: Any) -> None:
        # the last step ends before the library says so where it knows no number of its steps
        total = max(getattr(pipeline, "num_timesteps", 0), given["num_inference_steps"], step + 1)
        note = Phrase("step {step} of {total}", step=step + 1, total=total)
        context.progress((step + 1) / (total + 1), note, look(latents) if look else None)
        if step + 1 == total:  # what comes out is made of the latents next, which takes much memory
            for hook in getattr(pipeline, "_all_hooks", ()):
                hook.offload()

    def after(_: Any, step: int, time: Any, values: dict[str, Any]) -> dict[str, Any]:
        told(step, values["latents"])
        return values

    ways = {"callback_on_step_end": after, "callback": lambda step, time, latents: told(step, latents)}
    way = dict(list(taken(pipeline, ways).items())[:1])
    # The noise is made on the CPU, so that a seed means the same on every device.
    generator = torch.Generator("cpu").manual_seed(seed)
    networks = [part for part in pipeline.components.values() if isinstance(part, torch.nn.Module)]
    with models.running(context, *networks):
        context.progress(0.0, "reading the description")
        result = pipeline(**given, **way, generator=generator, output_type="np")
    if hasattr(result, "audios"):
        return np.nan_to_num(result.audios[0])
    found = result.images[0] if hasattr(result, "images") else result.frames[0]
    return np.rint(np.nan_to_num(found) * 255).clip(0, 255).astype(np.uint8)


def _rungs(entry: Entry) -> list[Step]:
    pipeline = entry.model

    def turns(way: Way) -> None:
        entry.spoil()
        _arrange(pipeline, entry.device, way)

    def slices() -> None:
        entry.spoil()
        pipeline.enable_attention_slicing()
        pipeline.vae.enable_slicing()
        pipeline.vae.enable_tiling()

    def to_cpu() -> None:
        import torch

        entry.spoil()
        pipeline.remove_all_hooks()
        pipeline.to("cpu", torch.float32)

    sliced = Step("memory ran out again: it works in slices, which takes longer", slices)
    if entry.device == "cpu":
        return [pool().others_step(entry), sliced]
    left = {Way.WHOLE: ("parts", "layers"), Way.PARTS: ("layers",)}.get(entry.way, ())
    return [
        pool().others_step(entry),
        *(Step(f"memory ran out again: the model's {each} take turns on the GPU", partial(turns, Way(each)))
          for each in left),
        sliced,
        Step("memory ran out again: the CPU does it, which takes long", to_cpu),
    ]  # fmt: skip


def _left_out(folder: Path, index: Mapping[str, Any]) -> dict[str, Any]:
    """Parts that the pipeline's index names, and that the library cannot load by itself: those that are not fetched
    because no picture needs them, and what prepares pictures for words, which without torchvision is ours.
    """
    given: dict[str, Any] = {part: None for part in _ABSENT if part in index and not (folder / part).is_dir()}
    if "safety_checker" in given:
        given["requires_safety_checker"] = False
    if (folder / "processor").is_dir() and str(index.get("processor", ("",))[-1]).endswith("VLProcessor"):
        given["processor"] = models.qwen_processor(folder / "processor")
    words = folder / "tokenizer"
    if str(index.get("tokenizer", ("",))[-1]).startswith("T5Tokenizer") and not (words / "tokenizer.json").is_file():
        given["tokenizer"] = models.t5_tokenizer(words, models.beside(folder, "t5-settings"))
    return given


def _float_type(folder: Path, device: str, way: Way) -> Any:
    """The torch type of weights there. What was made in bfloat16 runs over in the 16 bits of others."""
    import torch

    kind = float_type(device)
    wide = way is Way.FILES or (kind == torch.float16 and (is_wide(folder) or _class_of(folder) in _MADE_WIDE))
    return torch.bfloat16 if wide else kind


def _class_of(folder: Path) -> str:
    base = composition(folder).get("base")
    index = (folder.parent / base if base else folder) / "model_index.json"
    return json.loads(index.read_text("utf-8"))["_class_name"] if index.is_file() else ""
