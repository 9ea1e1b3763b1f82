"""What the user brings as files becomes a model, run as the library runs it; what is missing is said in words."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from desktop_app.core.errors import BadRequest, DownloadFailed
from desktop_app.models import own, selection, store
from desktop_app.models.catalogue import catalogue, find
from nodes import load_tools
from nodes._support.inference import diffusion
from nodes.api import NodeError
from nodes.image.classify_image import classify_image
from nodes.image.image_to_image import image_to_image
from nodes.image.inpaint import inpaint
from nodes.image.text_to_image import text_to_image
from tests.nodes.models.conftest import Listening
from tests.nodes.models.nearness import close
from tests.nodes.models.test_plain_calls import BARE, LOCAL
from tests.nodes.models.test_through_engine import install
from tests.nodes.models.tiny import builders

pytestmark = pytest.mark.filterwarnings("ignore:Already found a `peft_config`")
PROMPT = "a cat"
PAINT = {
    "prompt": PROMPT,
    "num_inference_steps": 2,
    "guidance_scale": 7.0,
    "width": 32,
    "height": 32,
    "output_type": "np",
}


@pytest.fixture
def models(monkeypatch, own_home):
    with monkeypatch.context() as patch:
        patch.setenv("GRAPHWRIGHT_MODELS", str(own_home / "models"))
        yield own_home / "models"
    monkeypatch.delenv("GRAPHWRIGHT_CATALOGUE")
    load_tools()  # the tools of other tests have none of these


@pytest.fixture
def context(models, tmp_path):
    return lambda model: Listening(tmp_path, store.folder(model))


@pytest.fixture
def based(models, model_of, tmp_path):
    """The tiny Stable Diffusion and its settings are there as the catalogue's; gives the folder of the first."""
    builders.settings_of(model_of("sd-1-5"), tmp_path / "settings")
    install(lambda id: tmp_path / "settings" if id.endswith("settings") else model_of(id), "sd-1-5", "sd-1-5-settings")
    return model_of("sd-1-5")


def plainly(pipeline, **more) -> np.ndarray:
    """What the library gives by itself, with the scheduler that ours takes, as pixels."""
    import diffusers
    import torch

    pipeline.scheduler = diffusers.DPMSolverMultistepScheduler.from_config(pipeline.scheduler.config)
    pipeline.set_progress_bar_config(disable=True)
    made = pipeline(**PAINT | more, generator=torch.Generator("cpu").manual_seed(3)).images[0]
    return np.rint(made * 255).clip(0, 255).astype(np.uint8)


def painted(context, **more) -> np.ndarray:
    return text_to_image(PROMPT, width=32, height=32, seed=3, steps=2, context=context, **more)


def test_a_folder_is_run_and_its_own_files_stay(context, model_of, tmp_path, picture):
    folder = shutil.copytree(model_of("vit-base"), tmp_path / "My model")
    model = own.add(folder)
    assert (model.id, model.family, model.task) == ("my-model", "transformers image classification", "classify image")
    assert model.own and store.present(model)
    assert classify_image(picture, context=context(model)) == classify_image(
        picture, context=Listening(tmp_path, model_of("vit-base"))
    )
    tools = load_tools().tools
    load_tools()
    backend = tools["classify_image"].backend(model.id)
    assert backend is not None and selection.on_disk(backend)
    assert own.add(folder).id == "my-model-2"
    store.remove(model)
    assert "my-model" not in catalogue() and "my-model-2" in catalogue()
    load_tools()
    assert tools["classify_image"].backend("my-model") is None
    assert (folder / "model.safetensors").is_file()


def test_what_was_brought_and_lost_is_not_looked_for_on_the_hub(models, model_of):
    model = own.add(model_of("vit-base"))
    shutil.rmtree(store.folder(model))
    with pytest.raises(DownloadFailed, match="was brought from"):
        store.download(model)


@pytest.mark.parametrize("id", ["yolos-tiny", "rt-detr-r50", "sam-vit-base", "sd-1-5", "lcm-dreamshaper-7",
    "sdxl-base-1", "whisper-base", "qwen2-5-0-5b", "sd-1-5-inpainting", "instruct-pix2pix", "marigold-normals-1-1",
    "swin2sr-classical-x2", "depth-anything-v2-small", "vit-base", "clip-vit-b-32", "clipseg-rd64", "blip-large",
    "blip-vqa-base", "llava-interleave-0-5b", "grounding-dino-tiny", "owlv2-base", "segformer-b0-ade",
    "mask2former-tiny-coco-panoptic", "vitpose-base-simple", "sam2-1-tiny", "smolvlm-256m", "qwen3-vl-2b",
    "florence-2-base", "trocr-base-printed", "dinov2-small", "eomt-large-coco-panoptic", "rf-detr-base",
    "d-fine-small", "oneformer-coco-large", "marigold-depth-1-1", "flux-2-klein-4b", "z-image-turbo", "qwen-image",
    "qwen-image-edit-2511", "wan-2-1-1-3b", "ltx-video", "stable-video-xt", "stable-audio-open-1",
    "ace-step-1-5-xl-turbo", "mms-tts-eng", "musicgen-small"])  # fmt: skip
def test_each_family_is_told_by_its_files(id, model_of):
    found, known = own.detect(model_of(id)), find(id)
    assert (found.family, found.task) == (known.family, known.task)
    assert any(name.endswith(own.WEIGHTS) for name in found.files)


def test_a_checkpoint_gives_what_the_library_makes_of_it(context, based, tmp_path):
    import diffusers

    file = builders.checkpoint(based, tmp_path / "dream.safetensors")
    model = own.add(file)
    assert (model.id, model.needs, model.abilities) == ("dream", ("sd-1-5-settings",), ("image to image", "inpaint"))
    settings = str(store.folder(find("sd-1-5-settings")))
    plain = plainly(diffusers.StableDiffusionPipeline.from_single_file(str(file), config=settings, **LOCAL, **BARE))
    ours = painted(context(model))
    assert close(ours, plain)
    whole = painted(Listening(tmp_path, based))
    assert np.abs(ours.astype(int) - whole).max() <= 2  # the same weights, which the folder keeps in 16 bits


def test_a_checkpoint_paints_on_pictures_too(context, based, tmp_path, picture):
    model = own.add(builders.checkpoint(based, tmp_path / "dream.safetensors"))
    mask = np.zeros(picture.shape[:2], np.uint8)
    mask[20:40, 30:50] = 255
    for id, made in (
        ("anew", image_to_image(picture, PROMPT, steps=2, context=context(model))),
        ("part", inpaint(picture, mask, PROMPT, steps=2, context=context(model))),
    ):
        assert made.shape == picture.shape and (made != picture).any(), id


def test_lora_files_with_weights_give_what_the_library_makes_of_them(context, based, tmp_path):
    import diffusers

    files = [
        builders.lora(based, tmp_path / name, seed) for name, seed in (("ink.safetensors", 1), ("wool.safetensors", 2))
    ]
    model = own.add_loras(find("sd-1-5"), [(files[0], 0.8), (files[1], -0.5)])
    assert model.needs == ("sd-1-5",) and "ink (0.8)" in model.title and "wool (-0.5)" in model.title
    pipeline = diffusers.StableDiffusionPipeline.from_pretrained(based, variant="fp16", **LOCAL, **BARE)
    pipeline = pipeline.to(__import__("torch").float32)
    for name, file in zip(("one", "two"), files, strict=True):
        pipeline.load_lora_weights(str(file.parent), weight_name=file.name, adapter_name=name)
    pipeline.set_adapters(["one", "two"], [0.8, -0.5])
    ours = painted(context(model))
    assert close(ours, plainly(pipeline))
    assert (ours != painted(Listening(tmp_path, based))).any()
    other = own.add_loras(find("sd-1-5"), [(files[0], 0.1)])
    assert (painted(context(other)) != ours).any()


def test_a_lora_goes_on_a_checkpoint_of_ones_own(context, based, tmp_path):
    model = own.add(builders.checkpoint(based, tmp_path / "dream.safetensors"))
    both = own.add_loras(model, [(builders.lora(based, tmp_path / "ink.safetensors", 1), 1.0)])
    assert both.needs == ("dream",)
    assert (painted(context(both)) != painted(context(model))).any()


def test_a_lora_for_another_kind_of_model_is_refused_when_it_is_brought_and_when_it_is_run(context, based, tmp_path):
    file = builders.lora(based, tmp_path / "ink.safetensors", 1)
    settings = store.folder(find("sd-1-5")) / "unet" / "config.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"cross_attention_dim": 24}))
    with pytest.raises(BadRequest, match="words of 16 numbers, not of 24"):
        own.add_loras(find("sd-1-5"), [(file, 1.0)])
    with pytest.raises(BadRequest, match="takes no LoRA"):
        own.add_loras(find("vit-base"), [(file, 1.0)])
    with pytest.raises(BadRequest, match="is a LoRA"):
        own.add(file)


def test_a_lora_whose_sizes_do_not_fit_is_told_when_it_is_loaded(context, based, tmp_path):
    import torch
    from safetensors.torch import load_file, save_file

    file = builders.lora(based, tmp_path / "ink.safetensors", 1)
    tensors = {
        name: torch.zeros(tensor.shape[0], 7) if "attn1" in name else tensor for name, tensor in load_file(file).items()
    }
    save_file(tensors, file)
    with pytest.raises(NodeError, match="LoRA for another kind of model than sd-1-5"):
        painted(context(own.add_loras(find("sd-1-5"), [(file, 1.0)])))


def test_a_name_of_a_file_twice_is_two_files(based, models, tmp_path):
    one = builders.lora(based, tmp_path / "a" / "ink.safetensors", 1)
    two = builders.lora(based, tmp_path / "b" / "ink.safetensors", 2)
    model = own.add_loras(find("sd-1-5"), [(one, 1.0), (two, 1.0)])
    assert {"ink.safetensors", "1-ink.safetensors"} < set(model.files) and store.present(model)


@pytest.mark.parametrize(
    ("id", "gone", "said"),
    [
        ("vit-base", "config.json", "config.json is missing"),
        ("vit-base", "model.safetensors", r"\*.safetensors is missing"),
        ("vit-base", "preprocessor_config.json", "preprocessor_config.json is missing"),
        ("qwen2-5-0-5b", "tokenizer*", "tokenizer.json is missing"),
        ("sd-1-5", "vae", "vae/ is missing"),
        ("sd-1-5", "unet/*.safetensors", r"unet/\*.safetensors is missing"),
    ],
)
def test_what_is_missing_is_said(id, gone, said, models, model_of, tmp_path):
    folder = shutil.copytree(model_of(id), tmp_path / "brought")
    for path in folder.glob(gone):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(BadRequest, match=said):
        own.add(folder)
    assert "brought" not in catalogue()


def test_pickles_other_kinds_and_junk_are_refused_in_words(models, model_of, tmp_path):
    folder = shutil.copytree(model_of("vit-base"), tmp_path / "brought")
    (folder / "config.json").write_text('{"architectures": ["MambaForEverything"]}')
    with pytest.raises(BadRequest, match="MambaForEverything"):
        own.add(folder)
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(BadRequest, match="safe to load"):
        own.add(folder)
    (folder / "config.json").write_text("[1, 2")
    (folder / "pytorch_model.bin").rename(folder / "model.safetensors")
    with pytest.raises(BadRequest, match="cannot be read"):
        own.add(folder)
    junk = tmp_path / "junk.safetensors"
    junk.write_bytes(b"junk")
    with pytest.raises(BadRequest, match="damaged"):
        own.add(junk)
    with pytest.raises(BadRequest, match="nothing at"):
        own.add(tmp_path / "nowhere")
    pickle = tmp_path / "model.ckpt"
    pickle.write_bytes(b"\x80")
    with pytest.raises(BadRequest, match=r"no \.safetensors file"):
        own.add(pickle)


def test_a_checkpoint_without_one_of_its_parts_says_which(models, based, tmp_path):
    from safetensors.torch import load_file, save_file

    tensors = load_file(builders.checkpoint(based, tmp_path / "dream.safetensors"))
    for start, said in (("first_stage_model.", "the VAE"), ("cond_stage_model.", "the text encoder")):
        save_file({k: v for k, v in tensors.items() if not k.startswith(start)}, tmp_path / "part.safetensors")
        with pytest.raises(BadRequest, match=f"{said} is missing"):
            own.add(tmp_path / "part.safetensors")


def test_a_controlnet_says_of_which_map_it_is(models, model_of, tmp_path):
    folder = shutil.copytree(model_of("controlnet-canny"), tmp_path / "steering")
    settings = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(settings | {"cross_attention_dim": 768}))
    with pytest.raises(BadRequest, match="--task"):
        own.add(folder)
    assert own.add(folder, "pose to image").needs == ("sd-1-5",)
    folder.rename(tmp_path / "my_canny")
    assert own.add(tmp_path / "my_canny").task == "canny to image"


def union_of(folder, to, **more):
    """A tiny union whose settings are those of one for Stable Diffusion XL."""
    made = shutil.copytree(folder, to)
    settings = json.loads((made / "config.json").read_text())
    (made / "config.json").write_text(json.dumps(settings | {"cross_attention_dim": 2048} | more))
    return made


@pytest.mark.parametrize("named", ["ControlNetUnionModel", "ControlNetModel"])
def test_a_union_controlnet_is_told_by_its_settings(named, models, model_of, tmp_path):
    """Some files name the class that it was derived from."""
    folder = union_of(model_of("controlnet-union-sdxl"), tmp_path / "steering", _class_name=named)
    model, known = own.add(folder), find("controlnet-union-sdxl")
    assert (model.family, model.task, model.abilities) == (known.family, known.task, known.abilities)
    assert model.needs == ("sdxl-base-1",)
    posed = own.add(folder, "pose to image")
    assert posed.task == "pose to image" and {posed.task, *posed.abilities} == {known.task, *known.abilities}
    assert diffusion._steering(store.folder(model))[0] == "ControlNetUnionModel"


def test_a_union_controlnet_that_cannot_be_used_says_why(models, model_of, tmp_path):
    folder = union_of(model_of("controlnet-union-sdxl"), tmp_path / "steering")
    with pytest.raises(BadRequest, match="none of them is “inpaint”"):
        own.add(folder, "inpaint")
    with pytest.raises(BadRequest, match="not for Stable Diffusion XL"):
        own.add(union_of(folder, tmp_path / "other", cross_attention_dim=1024))
    (folder / "diffusion_pytorch_model.safetensors").unlink()
    with pytest.raises(BadRequest, match=r"\*.safetensors is missing"):
        own.add(folder)


def test_a_bart_that_reads_tables_is_told_by_its_tokenizer(models, model_of, tmp_path):
    folder = shutil.copytree(model_of("tapex-base-wtq"), tmp_path / "reader")
    model = own.add(folder)
    assert (model.family, model.task) == ("transformers table question", "ask table")
    (folder / "merges.txt").unlink()
    with pytest.raises(BadRequest, match=r"merges.txt is missing"):
        own.add(folder)
    (folder / "tokenizer_config.json").unlink()
    with pytest.raises(BadRequest, match=r"tokenizer_config.json is missing"):
        own.add(folder)
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "BartTokenizer"}')
    with pytest.raises(BadRequest, match="BartForConditionalGeneration"):
        own.add(folder)


def test_a_lora_file_as_an_input_gives_what_the_library_makes_of_it(based, tmp_path):
    import diffusers

    file = builders.lora(based, tmp_path / "ink.safetensors", 1)
    pipeline = diffusers.StableDiffusionPipeline.from_pretrained(based, variant="fp16", **LOCAL, **BARE)
    pipeline = pipeline.to(__import__("torch").float32)
    pipeline.load_lora_weights(str(tmp_path), weight_name=file.name, adapter_name="ink")
    pipeline.set_adapters(["ink"], [0.6])
    context = Listening(tmp_path, based)
    worn = painted(context, lora=file, lora_weight=0.6)
    assert close(worn, plainly(pipeline))
    bare = painted(context)
    assert not close(worn, bare)
    assert close(bare, painted(context, lora=file, lora_weight=0.0))


def test_a_file_that_is_no_lora_is_refused(based, tmp_path):
    context = Listening(tmp_path, based)
    (tmp_path / "ink.ckpt").write_bytes(b"x")
    whole = builders.checkpoint(based, tmp_path / "whole.safetensors")
    (tmp_path / "half.safetensors").write_bytes(whole.read_bytes()[:1000])
    for name, why in (("ink.ckpt", "no .safetensors"), ("whole.safetensors", "no LoRA"), ("half.safetensors", "damag")):
        with pytest.raises(NodeError, match=why):
            painted(context, lora=tmp_path / name)


def test_a_lora_on_a_model_of_films_gives_what_the_library_makes_of_it(
    models, model_of, tmp_path, monkeypatch, fresh_pool
):
    import torch
    from diffusers.pipelines.wan.pipeline_wan import WanPipeline
    from peft import LoraConfig
    from peft.utils import get_peft_model_state_dict

    from nodes.video.text_to_video import text_to_video
    from tests.nodes.av_media import decoded

    folder = model_of("wan-2-1-1-3b")
    torch.manual_seed(1)
    pipeline = WanPipeline.from_pretrained(folder, **LOCAL)
    pipeline.transformer.add_adapter(
        LoraConfig(r=2, init_lora_weights=False, target_modules=["to_k", "to_q", "to_v", "to_out.0"])
    )
    WanPipeline.save_lora_weights(
        tmp_path, transformer_lora_layers=get_peft_model_state_dict(pipeline.transformer), weight_name="ink.safetensors"
    )
    install(model_of, "wan-2-1-1-3b")
    model = own.add_loras(find("wan-2-1-1-3b"), [(tmp_path / "ink.safetensors", 0.9)])
    assert (model.family, model.task) == ("diffusers film", "text to video")

    def shown(place: str, folder, **more) -> np.ndarray:
        (tmp_path / place).mkdir()
        context = Listening(tmp_path / place, folder)
        film = text_to_video(PROMPT, 0.3, 64, 64, seed=3, steps=2, **more, context=context)
        return np.array([picture for _, picture in decoded(film)])

    as_model, bare = shown("model", store.folder(model)), shown("bare", folder)
    as_input = shown("input", folder, lora=tmp_path / "ink.safetensors", lora_weight=0.9)
    assert close(as_model, as_input) and not close(as_model, bare)
    plain = WanPipeline.from_pretrained(folder, **LOCAL)
    plain.load_lora_weights(tmp_path, weight_name="ink.safetensors", adapter_name="ink")
    plain.set_adapters(["ink"], [0.9])
    fresh_pool.release()
    monkeypatch.setattr(diffusion, "load_pipeline", lambda *_, **__: _ready(plain))
    assert close(shown("plain", folder), as_model)


def _ready(pipeline):
    pipeline.set_progress_bar_config(disable=True)
    pipeline.entry = None
    return pipeline
