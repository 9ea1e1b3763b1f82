"""Models that the user brings as files: a folder, a single checkpoint, LoRA files on a model of pictures.

What it is is read from its settings and from the headers of its weights; no weights are loaded, and no library of
models is needed. It is then an entry of the user's own catalogue, and its files are in the folder of models.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from desktop_app.core.errors import BadRequest
from desktop_app.models import store
from desktop_app.models.catalogue import Model, catalogue, find, forget, keep
from nodes._support.models.weights import COMPOSITION, control_kind, header
from nodes.api import NodeError
from nodes.phrase import Phrase

WEIGHTS = ".safetensors"
LORA_FAMILIES = ("diffusers pipeline", "diffusers film")
"""The families whose models take LoRA files."""
SETTINGS = (
    ("conditioner.embedders.1", "sdxl-settings"),
    ("cond_stage_model.transformer.text_model", "sd-1-5-settings"),
)
"""The model that has the settings which a single checkpoint lacks, by what one of its tensors begins with."""
_KINDS = (
    (r"(GroundingDino|OwlViT|Owlv2)ForObjectDetection", "transformers open-vocabulary detection",
     "find by description", "both"),
    (r"ForObjectDetection", "transformers object detection", "detect objects", "picture"),
    (r"ForImageClassification", "transformers image classification", "classify image", "picture"),
    (r"ForDepthEstimation", "transformers depth estimation", "depth map", "picture"),
    (r"ForSemanticSegmentation", "transformers semantic segmentation", "name regions", "picture"),
    (r"ForUniversalSegmentation", "transformers universal segmentation", "name regions", "picture"),
    (r"ForImageSuperResolution", "transformers super resolution", "upscale", "picture"),
    (r"ForPoseEstimation", "transformers pose", "pose map", "picture"),
    (r"^(SamModel|Sam2(Video)?Model)", "transformers sam", "segment by points", "picture"),
    (r"^CLIPSegForImageSegmentation", "transformers clipseg", "segment by words", "both"),
    (r"^(CLIP|Siglip|Siglip2)Model", "transformers image and text", "match labels", "both"),
    (r"(Blip|Vilt)ForQuestionAnswering", "transformers visual question answering", "answer about image", "both"),
    (r"^(Blip|Florence2)ForConditionalGeneration", "transformers captioning", "describe image", "both"),
    (r"^(Llava\w*|Idefics3|Qwen\w*VL)ForConditionalGeneration", "transformers image chat", "describe image", "both"),
    (r"^VisionEncoderDecoderModel", "transformers line reading", "read text", "both"),
    (r"^Dinov2Model", "transformers image embedding", "compare images", "picture"),
    (r"^WhisperForConditionalGeneration", "transformers whisper", "speech to text", "both"),
    (r"^MoonshineForConditionalGeneration", "transformers moonshine", "speech to text", "both"),
    (r"^ParakeetFor(CTC|TDT)", "transformers parakeet", "speech to text", "both"),
    (r"^(Canary|Qwen3ASR)ForConditionalGeneration", "transformers speech request", "speech to text", "both"),
    (r"^SpeechT5ForTextToSpeech", "transformers speecht5", "text to speech", "text"),
    (r"^VitsModel", "transformers vits", "text to speech", "text"),
    (r"^MusicgenForConditionalGeneration", "transformers music", "make music", "text"),
    (r"ForCausalLM", "transformers chat", "chat", "text"),
)  # fmt: skip
"""The class that config.json names, the family and task that run it, and which input has to be prepared for it."""
_PIPELINES = {
    "StableDiffusionPipeline": ("diffusers pipeline", "text to image"),
    "StableDiffusionXLPipeline": ("diffusers pipeline", "text to image"),
    "LatentConsistencyModelPipeline": ("diffusers pipeline", "text to image"),
    "StableDiffusionInpaintPipeline": ("diffusers pipeline", "inpaint"),
    "StableDiffusionXLInpaintPipeline": ("diffusers pipeline", "inpaint"),
    "StableDiffusionInstructPix2PixPipeline": ("diffusers pipeline", "edit by instruction"),
    "MarigoldNormalsPipeline": ("diffusers marigold", "normal map"),
    "MarigoldDepthPipeline": ("diffusers marigold", "depth map"),
    "Flux2KleinPipeline": ("diffusers pipeline", "text to image"),
    "FluxPipeline": ("diffusers pipeline", "text to image"),
    "FluxKontextPipeline": ("diffusers pipeline", "edit by instruction"),
    "ZImagePipeline": ("diffusers pipeline", "text to image"),
    "QwenImagePipeline": ("diffusers pipeline", "text to image"),
    "QwenImageEditPipeline": ("diffusers pipeline", "edit by instruction"),
    "QwenImageEditPlusPipeline": ("diffusers pipeline", "edit by instruction"),
    "QwenImageLayeredPipeline": ("diffusers layers", "split into layers"),
    "WanPipeline": ("diffusers film", "text to video"),
    "LTXPipeline": ("diffusers film", "text to video"),
    "StableVideoDiffusionPipeline": ("diffusers film", "image to video"),
    "StableAudioPipeline": ("diffusers music", "make music"),
    "AceStepPipeline": ("diffusers music", "make music"),
}
_UNIONS = {"ControlNetUnionModel": "controlnet-union-sdxl", "QwenImageControlNetModel": "controlnet-union-qwen"}
"""The model of the catalogue that does what a ControlNet for several kinds of maps does, by its class."""
_SDXL_WIDTH = 2048
"""How many numbers a word has that the network of Stable Diffusion XL is shown."""
_NEEDED = {"transformers speecht5": ("speecht5-hifigan", "speecht5-settings")}
"""The models of the catalogue without which a family does not run."""
OPTIONAL = ("safety_checker", "feature_extractor", "image_encoder")
_PREPARES = {
    "picture": ("preprocessor_config.json", "processor_config.json"),
    "text": ("tokenizer.json", "tokenizer_config.json", "vocab.json", "vocab.txt"),
}
_LORA = re.compile(r"[._](lora_down|lora_A|lora\.down|down)\.weight$")
_SHOWN_WORDS = re.compile(r"attn2[._]to_k\b|attn2[._]processor")


class Kind(NamedTuple):
    """How a model is run and for what, and which input has to be prepared for it: "picture", "text", "both" or "".

    One that no tool runs is of the family "", and `prepared` says of which class it is.
    """

    family: str
    task: str
    prepared: str


@dataclass(frozen=True)
class Detected:
    """What a folder or checkpoint is: how it is run and for what, the files wanted of it, and what it needs besides."""

    family: str
    task: str
    files: Mapping[str, Path | bytes]
    needs: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()
    """What it can do beside its task, where its kind says that; () for what others of its family can."""


def add(path: Path, task: str = "") -> Model:
    """Makes a folder or a checkpoint a model of the user's own. `task` is for a kind that has several.

    The files are linked into the folder of models where the disk can do that, else copied. Raises BadRequest, which
    says what is missing, or StorageError.
    """
    found = detect(path, task)
    return _added(path.stem if path.is_file() else path.name, path, found, Phrase("brought by you"))


def add_loras(base: Model, loras: Sequence[tuple[Path, float]]) -> Model:
    """Makes a model of pictures with LoRA files on it, each with its weight, a model of the user's own.

    Raises BadRequest when one is none, or is made for another kind of model; StorageError.
    """
    if base.family not in LORA_FAMILIES or not loras:
        raise BadRequest(
            Phrase("'{model}' takes no LoRA files.", model=base.id), "Choose a model that makes pictures or films."
        )
    width = _width_of(base)
    for path, _ in loras:
        made_for = _lora_width(path)
        if width and made_for and made_for != width:
            raise BadRequest(
                Phrase("{file} is a LoRA for another kind of model than {model}: it is shown words of {made_for} "
                       "numbers, not of {width}.", file=path.name, model=base.title, made_for=made_for, width=width),
                "Choose the kind of model that it was made for.",
            )  # fmt: skip
    names = _different([path.name for path, _ in loras])
    listed = [[name, weight] for name, (_, weight) in zip(names, loras, strict=True)]
    files: dict[str, Path | bytes] = {COMPOSITION: json.dumps({"base": base.id, "loras": listed}).encode()}
    files |= {name: path for name, (path, _) in zip(names, loras, strict=True)}
    found = Detected(base.family, base.task, files, (base.id,))
    said = " + ".join([base.title, *(f"{path.stem} ({weight:g})" for path, weight in loras)])
    named = "-".join([base.id, *(path.stem for path, _ in loras)])
    return _added(named, loras[0][0].parent, found, Phrase("LoRA files on {model}", model=base.title), said)


def detect(path: Path, task: str = "") -> Detected:
    """What lies there. Raises BadRequest, which says what it is not, or what is missing."""
    if path.is_file():
        return _checkpoint(path)
    if not path.is_dir():
        raise BadRequest(Phrase("There is nothing at {path}.", path=path), "Name a folder or a .safetensors file.")
    if (path / "model_index.json").is_file():
        return _pipeline(path)
    settings = _read(path, "config.json")
    weights = [file.name for file in path.glob(f"*{WEIGHTS}")]
    if not weights:
        if any(file.suffix in (".bin", ".ckpt", ".pt", ".pth") for file in path.iterdir()):
            raise _lacks(path, Phrase("it has no weights of a kind that is safe to load."))
        raise _lacks(path, Phrase("{file} is missing", file=f"*{WEIGHTS}"))
    if union := _UNIONS.get(control_kind(settings)):
        return _union(path, settings, find(union), task)
    if settings.get("_class_name") == "ControlNetModel":
        return _controlnet(path, settings, task)
    named = [str(name) for name in settings.get("architectures") or ()]
    kind = _table_reader(path, settings, named) or kind_of(named)
    if kind is None:
        raise _unknown(path, ", ".join(named) or str(settings.get("_class_name", "?")))
    if lost := missing(kind, [file.name for file in path.iterdir()]):
        raise _lacks(path, Phrase("{file} is missing", file=lost))
    return Detected(kind.family, kind.task, _files(path), _NEEDED.get(kind.family, ()))


def _table_reader(path: Path, settings: Mapping[str, Any], named: Sequence[str]) -> Kind | None:
    """The kind of a BART that was taught to read tables (TAPEX), which only its tokenizer tells; None of any other.

    Raises BadRequest, which says what is missing of one.
    """
    if not any(re.search(r"^Bart(ForConditionalGeneration|Model)", name) for name in named):
        return None
    words = _read(path, "tokenizer_config.json")
    told = f"{words.get('tokenizer_class', '')} {settings.get('tokenizer_class', '')}"
    if "Tapex" not in told and "tapex" not in str(settings.get("_name_or_path", "")).lower():
        return None
    if lost := next((name for name in ("vocab.json", "merges.txt") if not (path / name).is_file()), ""):
        raise _lacks(path, Phrase("{file} is missing", file=lost))
    return Kind("transformers table question", "ask table", "")


def kind_of(classes: Sequence[str], pipeline: str = "") -> Kind | None:
    """The kind of a model of these classes of transformers, or of that pipeline of diffusers; None without one."""
    if pipeline:
        found = _PIPELINES.get(pipeline)
        return Kind(*found, "") if found else None
    kinds = (Kind(family, task, prepared) for pattern, family, task, prepared in _KINDS
             if any(re.search(pattern, name) for name in classes))  # fmt: skip
    return next(kinds, None)


def missing(kind: Kind, names: Collection[str]) -> str:
    """The first file without which it does not run and which is not among these; "" when there is none."""
    needed = ("picture", "text") if kind.prepared == "both" else (kind.prepared,)
    lost = (_PREPARES[each] for each in needed if each and not set(_PREPARES[each]) & set(names))
    return next(lost, ("",))[0]


def needs_of(family: str) -> tuple[str, ...]:
    return _NEEDED.get(family, ())


def alike(family: str, task: str) -> tuple[str, ...]:
    """What else a model of that family can do beside its task, as those of the catalogue can."""
    found = next((model for model in catalogue().values() if (model.family, model.task) == (family, task)), None)
    return found.abilities if found else ()


def _pipeline(path: Path) -> Detected:
    index = _read(path, "model_index.json")
    kind = str(index.get("_class_name", "?"))
    if kind not in _PIPELINES:
        raise _unknown(path, kind)
    family, task = _PIPELINES[kind]
    optional = () if family == "diffusers film" else OPTIONAL
    parts = [name for name, of in index.items() if isinstance(of, list) and of and of[0] and name not in optional]
    for part in parts:
        if not (path / part).is_dir():
            raise _lacks(path, Phrase("{file} is missing", file=f"{part}/"))
        if part in ("unet", "vae", "text_encoder", "text_encoder_2") and not any((path / part).glob(f"*{WEIGHTS}")):
            raise _lacks(path, Phrase("{file} is missing", file=f"{part}/*{WEIGHTS}"))
    return Detected(family, task, _files(path, parts))


def _controlnet(path: Path, settings: Mapping[str, Any], task: str) -> Detected:
    family = "diffusers controlnet"
    tasks = {model.task for model in catalogue().values() if model.family == family}
    if int(settings.get("cross_attention_dim") or 0) not in (0, 768):
        raise _unknown(path, "ControlNet, not for Stable Diffusion 1.5")
    words = {"canny": "canny to image", "mlsd": "line to image", "hed": "soft edge to image", "seg": "segmentation "
             "to image"} | {each.partition(" to ")[0].replace(" ", ""): each for each in tasks}  # fmt: skip
    chosen = task or next((kind for word, kind in words.items() if word in path.name.lower()), "")
    if chosen not in tasks:
        raise BadRequest(
            Phrase("{path} is a ControlNet, and nothing says of which kind.", path=path),
            Phrase("Say it with --task: {tasks}", tasks=", ".join(sorted(tasks))),
        )
    return Detected(family, chosen, _files(path), ("sd-1-5",))


def _union(path: Path, settings: Mapping[str, Any], known: Model, task: str) -> Detected:
    """A ControlNet that was taught several kinds of maps, and does what the one of its kind in the catalogue does."""
    width = int(settings.get("cross_attention_dim") or 0)
    if width not in (0, _SDXL_WIDTH):
        raise _unknown(path, "union ControlNet, not for Stable Diffusion XL")
    tasks = (known.task, *known.abilities)
    if task and task not in tasks:
        raise BadRequest(
            Phrase("{path} is a ControlNet for several kinds of maps, and none of them is “{task}”.", path=path,
                   task=task),
            Phrase("Say it with --task: {tasks}", tasks=", ".join(sorted(tasks))),
        )  # fmt: skip
    chosen = task or known.task
    others = tuple(each for each in tasks if each != chosen)
    return Detected(known.family, chosen, _files(path), known.needs, others)


def _checkpoint(path: Path) -> Detected:
    tensors = _header(path)
    if any(_LORA.search(name) for name in tensors):
        raise BadRequest(
            Phrase("{file} is a LoRA: it changes a model, and is none itself.", file=path.name),
            Phrase("Say on which model: graphwright models add {file} --on ID", file=path.name),
        )
    begin = tensors.get("model.diffusion_model.input_blocks.0.0.weight")
    if begin is None:
        raise _unknown(path, "a checkpoint without the network of Stable Diffusion")
    for beginning, part in (("first_stage_model.", Phrase("the VAE")), ("cond", Phrase("the text encoder"))):
        if not any(name.startswith(beginning) for name in tensors):
            raise _lacks(path, Phrase("{file} is missing", file=part))
    base = next((id for start, id in SETTINGS if any(name.startswith(start) for name in tensors)), "")
    if not base:
        raise _unknown(path, "a checkpoint with another text encoder")
    if begin[1] != 4:
        raise _unknown(path, f"a checkpoint that is shown {begin[1]} channels")
    composition = json.dumps({"base": base, "checkpoint": path.name}).encode()
    return Detected("diffusers pipeline", "text to image", {COMPOSITION: composition, path.name: path}, (base,))


def _added(name: str, path: Path, found: Detected, note: Phrase, title: str = "") -> Model:
    known = catalogue()
    id = base = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "model"
    tries = 1
    while id in known:
        tries += 1
        id = f"{base}-{tries}"
    needed = [known[each] for each in found.needs]
    size = sum(len(of) if isinstance(of, bytes) else of.stat().st_size for of in found.files.values())
    whole = size + sum(model.size_bytes for model in needed)
    abilities = found.abilities or alike(found.family, found.task)
    model = Model(
        id, found.task, title or name, "", "", tuple(found.files), max(1, size), int(whole * 1.5) + 500_000_000,
        "your own", str(path.resolve()), 0.5, found.family, abilities, needs=found.needs,
        note=str(note), own=True,
    )  # fmt: skip
    held = store.bring(model, found.files)
    keep({
        "id": id, "task": model.task, "family": model.family, "abilities": list(model.abilities), "title": model.title,
        "repo": "", "revision": held.revision, "files": list(model.files), "needs": list(model.needs),
        "size_bytes": model.size_bytes, "memory_bytes": model.memory_bytes, "licence": model.licence,
        "source": model.source, "quality": model.quality, "note": model.note,
    })  # fmt: skip
    kept = catalogue().get(id)
    if kept is None:
        store.remove(replace(model, revision=held.revision))
        forget(id)
        raise BadRequest(Phrase("{path} cannot be used: {why}", path=path, why=Phrase("its files are odd")), "")
    return kept


def _files(path: Path, parts: Collection[str] = ()) -> dict[str, Path | bytes]:
    """Settings, words and weights, below `path` and of these parts; not in 32 bits where there are 16."""
    folders = [path, *(path / part for part in parts)]
    every = [file for folder in folders for file in sorted(folder.iterdir()) if file.is_file()]
    wanted = [
        file for file in every if file.suffix in (WEIGHTS, ".json", ".txt", ".jinja") and file.name != store.MARKER
    ]
    halves = {file.with_name(file.name.replace(".fp16.", ".")) for file in wanted if ".fp16." in file.name}
    return {file.relative_to(path).as_posix(): file for file in wanted if file not in halves}


def _width_of(base: Model) -> int:
    """How many numbers a word has that its network is shown; 0 where that is not known before it is here."""
    for id in (base.id, *base.needs):
        try:
            settings = json.loads((store.root() / id / "unet" / "config.json").read_text("utf-8"))
            return int(settings["cross_attention_dim"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return 0


def _lora_width(path: Path) -> int:
    """The same of what a LoRA was made for; 0 when it does not touch that. Raises BadRequest when it is no LoRA."""
    tensors = _header(path)
    downs = {name: shape for name, shape in tensors.items() if _LORA.search(name)}
    if not downs:
        raise BadRequest(Phrase("{file} is no LoRA.", file=path.name), "Add it by itself, without a model under it.")
    return next((shape[1] for name, shape in downs.items() if _SHOWN_WORDS.search(name) and len(shape) > 1), 0)


def _header(path: Path) -> dict[str, tuple[int, ...]]:
    """The shapes of its tensors by name. Raises BadRequest."""
    if not path.is_file() or path.suffix != WEIGHTS:
        raise BadRequest(
            Phrase("{path} is no .safetensors file.", path=path), "Other kinds may run code when they are read."
        )
    try:
        return {name: tuple(of["shape"]) for name, of in header(path).items()}
    except NodeError as error:
        raise BadRequest(str(error), "Fetch the file again.") from error


def _read(path: Path, name: str) -> dict[str, Any]:
    try:
        return dict(json.loads((path / name).read_text("utf-8")))
    except FileNotFoundError:
        raise _lacks(path, Phrase("{file} is missing", file=name)) from None
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise _lacks(path, Phrase("{file} cannot be read", file=name)) from error


def _lacks(path: Path, what: Phrase) -> BadRequest:
    return BadRequest(
        Phrase("{path} cannot be used: {why}", path=path, why=what), "Fetch it again, with all its files."
    )


def _unknown(path: Path, kind: str) -> BadRequest:
    why = Phrase("no tool here runs models of its kind ({kind}).", kind=kind)
    return BadRequest(Phrase("{path} cannot be used: {why}", path=path, why=why), "Choose another model.")


def _different(names: Sequence[str]) -> list[str]:
    """The names, those that are there twice with a number."""
    return [name if name not in names[:at] else f"{at}-{name}" for at, name in enumerate(names)]
