"""Tiny models of the kinds that the back ends load: made from configuration, random weights, saved for good."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def byte_vocabulary() -> dict[str, int]:
    """The 256 byte letters of GPT-2's alphabet and the end of a text."""
    from tokenizers.pre_tokenizers import ByteLevel

    letters = sorted(ByteLevel.alphabet())
    return {letter: number for number, letter in enumerate([*letters, "<|endoftext|>"])}


def _write(path: Path, values: dict[str, object]) -> None:
    path.write_text(json.dumps(values), "utf-8")


def yolos(folder: Path) -> Path:
    import torch
    from transformers import YolosConfig, YolosForObjectDetection

    torch.manual_seed(0)
    names = dict(enumerate(("cat", "dog", "cup", "car")))
    config = YolosConfig(
        hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, image_size=[64, 64],
        patch_size=16, num_detection_tokens=6, id2label=names, label2id={name: i for i, name in names.items()},
    )  # fmt: skip
    YolosForObjectDetection(config).save_pretrained(folder)
    _write(folder / "preprocessor_config.json", {  # in the old form, which the real one still has
        "do_normalize": True, "do_resize": True, "feature_extractor_type": "YolosFeatureExtractor",
        "format": "coco_detection", "image_mean": [0.485, 0.456, 0.406], "image_std": [0.229, 0.224, 0.225],
        "max_size": 96, "size": 64,
    })  # fmt: skip
    return folder


def rt_detr(folder: Path) -> Path:
    import torch
    from transformers import RTDetrConfig, RTDetrForObjectDetection, RTDetrResNetConfig

    torch.manual_seed(0)
    backbone = RTDetrResNetConfig(
        embedding_size=8, hidden_sizes=[8, 8, 16, 16], depths=[1, 1, 1, 1], layer_type="basic",
        out_features=["stage2", "stage3", "stage4"], out_indices=[2, 3, 4],
    )  # fmt: skip
    names = dict(enumerate(("cat", "dog", "cup")))
    config = RTDetrConfig(
        backbone_config=backbone, encoder_hidden_dim=16, encoder_in_channels=[8, 16, 16], encoder_layers=1,
        encoder_ffn_dim=16, encoder_attention_heads=2, d_model=16, num_queries=6, decoder_layers=1,
        decoder_in_channels=[16, 16, 16], decoder_ffn_dim=16, decoder_attention_heads=2, num_denoising=0,
        feat_strides=[8, 16, 32], id2label=names, label2id={name: i for i, name in names.items()},
    )  # fmt: skip
    RTDetrForObjectDetection(config).save_pretrained(folder)
    _write(folder / "preprocessor_config.json", {
        "do_convert_annotations": True, "do_normalize": False, "do_pad": False, "do_rescale": True, "do_resize": True,
        "format": "coco_detection", "image_mean": [0.485, 0.456, 0.406], "image_std": [0.229, 0.224, 0.225],
        "image_processor_type": "RTDetrImageProcessor", "pad_size": None, "resample": 2,
        "rescale_factor": 1 / 255, "size": {"height": 64, "width": 64},
    })  # fmt: skip
    return folder


def sam(folder: Path) -> Path:
    import torch
    from transformers import SamConfig, SamModel

    torch.manual_seed(0)
    config = SamConfig(
        vision_config={
            "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "image_size": 64, "patch_size": 16,
            "output_channels": 16, "mlp_dim": 16, "num_pos_feats": 8, "window_size": 2, "global_attn_indexes": [0],
        },
        prompt_encoder_config={"hidden_size": 16, "image_size": 64, "patch_size": 16, "mask_input_channels": 4},
        mask_decoder_config={
            "hidden_size": 16, "mlp_dim": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
            "iou_head_hidden_dim": 16,
        },
    )  # fmt: skip
    SamModel(config).save_pretrained(folder)
    _write(folder / "preprocessor_config.json", {
        "do_convert_rgb": True, "do_normalize": True, "do_pad": True, "do_rescale": True, "do_resize": True,
        "image_mean": [0.485, 0.456, 0.406], "image_processor_type": "SamImageProcessor",
        "image_std": [0.229, 0.224, 0.225], "pad_size": {"height": 64, "width": 64}, "processor_class": "SamProcessor",
        "resample": 2, "rescale_factor": 1 / 255, "size": {"longest_edge": 64},
    })  # fmt: skip
    return folder


def clip_tokenizer(folder: Path) -> Path:
    from transformers import CLIPTokenizer

    letters = byte_vocabulary()
    vocabulary: dict[str, int] = {}
    for letter in letters:
        if letter != "<|endoftext|>":
            vocabulary[letter] = len(vocabulary)
            vocabulary[f"{letter}</w>"] = len(vocabulary)
    vocabulary["<|startoftext|>"] = len(vocabulary)
    vocabulary["<|endoftext|>"] = len(vocabulary)
    CLIPTokenizer(vocab=vocabulary, merges=[], model_max_length=77).save_pretrained(folder)
    return folder


def _unet(channels: int = 4, **more: object):
    from diffusers import UNet2DConditionModel

    return UNet2DConditionModel(
        block_out_channels=(8, 16), layers_per_block=1, sample_size=8, in_channels=channels, out_channels=4,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"), up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        cross_attention_dim=16, norm_num_groups=2, attention_head_dim=4, **more,
    )  # fmt: skip


_SIZED: dict[str, Any] = {
    "addition_embed_type": "text_time", "addition_time_embed_dim": 4, "projection_class_embeddings_input_dim": 8 + 6 * 4
}  # fmt: skip
"""Of U-Nets that are told the size of the picture, as those of SDXL are."""


def _vae():
    from diffusers import AutoencoderKL

    return AutoencoderKL(
        block_out_channels=(8, 16), in_channels=3, out_channels=3, latent_channels=4, norm_num_groups=2,
        down_block_types=("DownEncoderBlock2D",) * 2, up_block_types=("UpDecoderBlock2D",) * 2, sample_size=16,
    )  # fmt: skip


def _clip(folder: Path, size: int):
    """A tokenizer and the configuration of a text encoder for it."""
    from transformers import CLIPTextConfig, CLIPTokenizer

    text = CLIPTextConfig(
        vocab_size=514, hidden_size=size, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        bos_token_id=512, eos_token_id=513, pad_token_id=513, projection_dim=size,
    )  # fmt: skip
    return CLIPTokenizer.from_pretrained(clip_tokenizer(folder / "tokenizer")), text


def stable_diffusion(folder: Path) -> Path:
    """Saved as the real one is: 16-bit weights, and an index that names a safety checker, which is not there."""
    import torch
    from diffusers import PNDMScheduler, StableDiffusionPipeline
    from transformers import CLIPTextModel

    torch.manual_seed(0)
    tokenizer, text = _clip(folder, 16)
    scheduler = PNDMScheduler(
        beta_schedule="scaled_linear", beta_start=0.00085, beta_end=0.012, skip_prk_steps=True, steps_offset=1
    )
    pipeline = StableDiffusionPipeline(
        vae=_vae(), text_encoder=CLIPTextModel(text), tokenizer=tokenizer, unet=_unet(), scheduler=scheduler,
        safety_checker=None, feature_extractor=None, requires_safety_checker=False,
    )  # fmt: skip
    pipeline.to(torch.float16).save_pretrained(folder, variant="fp16")
    index = json.loads((folder / "model_index.json").read_text("utf-8"))
    index["safety_checker"] = ["stable_diffusion", "StableDiffusionSafetyChecker"]
    index["feature_extractor"] = ["transformers", "CLIPImageProcessor"]
    index["requires_safety_checker"] = True
    _write(folder / "model_index.json", index)
    return folder


def _ddim():
    from diffusers import DDIMScheduler

    return DDIMScheduler(steps_offset=1, clip_sample=False)


def instruct(folder: Path) -> Path:
    """InstructPix2Pix: the picture's latents are shown to the network beside the noise."""
    import torch
    from diffusers import EulerAncestralDiscreteScheduler, StableDiffusionInstructPix2PixPipeline
    from transformers import CLIPTextModel

    torch.manual_seed(0)
    tokenizer, text = _clip(folder, 16)
    StableDiffusionInstructPix2PixPipeline(
        vae=_vae(), text_encoder=CLIPTextModel(text), tokenizer=tokenizer, unet=_unet(8),
        scheduler=EulerAncestralDiscreteScheduler(), safety_checker=None, feature_extractor=None,
        requires_safety_checker=False,
    ).save_pretrained(folder)  # fmt: skip
    return folder


def inpainting(folder: Path) -> Path:
    """One that learned to fill: mask and picture are shown to the network beside the noise."""
    import torch
    from diffusers import StableDiffusionInpaintPipeline
    from transformers import CLIPTextModel

    torch.manual_seed(0)
    tokenizer, text = _clip(folder, 16)
    StableDiffusionInpaintPipeline(
        vae=_vae(), text_encoder=CLIPTextModel(text), tokenizer=tokenizer, unet=_unet(9),
        scheduler=_ddim(), safety_checker=None, feature_extractor=None, requires_safety_checker=False,
    ).save_pretrained(folder)  # fmt: skip
    return folder


def marigold(folder: Path, normals: bool = True) -> Path:
    import torch
    from diffusers import MarigoldDepthPipeline, MarigoldNormalsPipeline
    from transformers import CLIPTextModel

    torch.manual_seed(0)
    tokenizer, text = _clip(folder, 16)
    settings = (
        {"prediction_type": "normals", "use_full_z_range": True} if normals
        else {"prediction_type": "depth", "scale_invariant": True, "shift_invariant": True}
    )  # fmt: skip
    (MarigoldNormalsPipeline if normals else MarigoldDepthPipeline)(
        unet=_unet(8), vae=_vae(), scheduler=_ddim(), text_encoder=CLIPTextModel(text), tokenizer=tokenizer,
        default_denoising_steps=2, default_processing_resolution=32, **settings,
    ).save_pretrained(folder)  # fmt: skip
    return folder


def marigold_depth(folder: Path) -> Path:
    return marigold(folder, normals=False)


def swin2sr(folder: Path) -> Path:
    import torch
    from transformers import Swin2SRConfig, Swin2SRForImageSuperResolution

    torch.manual_seed(0)
    config = Swin2SRConfig(
        image_size=16, patch_size=1, embed_dim=8, depths=[1], num_heads=[2], window_size=4, upscale=2, mlp_ratio=1.0
    )
    Swin2SRForImageSuperResolution(config).save_pretrained(folder)
    _write(folder / "preprocessor_config.json", {
        "image_processor_type": "Swin2SRImageProcessor", "do_rescale": True, "rescale_factor": 1 / 255, "do_pad": True,
        "pad_size": 8,
    })  # fmt: skip
    return folder


def latent_consistency(folder: Path) -> Path:
    import torch
    from diffusers import LatentConsistencyModelPipeline, LCMScheduler
    from transformers import CLIPTextModel

    torch.manual_seed(0)
    tokenizer, text = _clip(folder, 16)
    LatentConsistencyModelPipeline(
        vae=_vae(), text_encoder=CLIPTextModel(text), tokenizer=tokenizer, unet=_unet(time_cond_proj_dim=8),
        scheduler=LCMScheduler(steps_offset=1), safety_checker=None, feature_extractor=None,
        requires_safety_checker=False,
    ).save_pretrained(folder)  # fmt: skip
    return folder


def stable_diffusion_xl(folder: Path) -> Path:
    import torch
    from diffusers import EulerDiscreteScheduler, StableDiffusionXLPipeline
    from transformers import CLIPTextModel, CLIPTextModelWithProjection

    torch.manual_seed(0)
    tokenizer, text = _clip(folder, 8)
    unet = _unet(**_SIZED)
    pipeline = StableDiffusionXLPipeline(
        vae=_vae(), text_encoder=CLIPTextModel(text), text_encoder_2=CLIPTextModelWithProjection(text), unet=unet,
        tokenizer=tokenizer, tokenizer_2=tokenizer, scheduler=EulerDiscreteScheduler(steps_offset=1),
        add_watermarker=False,
    )  # fmt: skip
    pipeline.to(torch.float16).save_pretrained(folder, variant="fp16")
    return folder


def controlnet(folder: Path) -> Path:
    import torch
    from diffusers import ControlNetModel

    torch.manual_seed(1)
    network = ControlNetModel.from_unet(_unet(), conditioning_embedding_out_channels=(8, 16))
    with torch.no_grad():  # fresh ones begin with zeros, and would steer nothing
        for block in (*network.controlnet_down_blocks, network.controlnet_mid_block):
            block.weight.normal_(0, 0.5)
        network.controlnet_cond_embedding.conv_out.weight.normal_(0, 0.5)
    network.to(torch.float16).save_pretrained(folder, variant="fp16")
    return folder


def controlnet_union(folder: Path) -> Path:
    """One for six kinds of maps; saved without a variant, as the real one is."""
    import torch
    from diffusers import ControlNetUnionModel

    torch.manual_seed(1)
    network = ControlNetUnionModel(
        block_out_channels=(8, 16), layers_per_block=1, down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        cross_attention_dim=16, norm_num_groups=2, attention_head_dim=4, transformer_layers_per_block=1,
        conditioning_embedding_out_channels=(8, 16), num_trans_channel=8, num_trans_head=2, num_proj_channel=8,
        **_SIZED,
    )  # fmt: skip
    with torch.no_grad():
        for block in (*network.controlnet_down_blocks, network.controlnet_mid_block):
            block.weight.normal_(0, 0.5)
        network.controlnet_cond_embedding.conv_out.weight.normal_(0, 0.5)
        network.spatial_ch_projs.weight.normal_(0, 0.5)
        network.task_embedding.normal_(0, 1)
    network.to(torch.float16).save_pretrained(folder)
    return folder


def whisper(folder: Path) -> Path:
    import torch
    from transformers import (
        GenerationConfig,
        WhisperConfig,
        WhisperFeatureExtractor,
        WhisperForConditionalGeneration,
        WhisperProcessor,
        WhisperTokenizer,
    )

    torch.manual_seed(0)
    specials = ["<|startoftranscript|>", "<|en|>", "<|de|>", "<|translate|>", "<|transcribe|>", "<|startoflm|>",
                "<|startofprev|>", "<|nospeech|>", "<|notimestamps|>"]  # fmt: skip
    tokenizer = WhisperTokenizer(vocab=byte_vocabulary(), merges=[])
    tokenizer.add_special_tokens({"additional_special_tokens": specials})
    id = tokenizer.convert_tokens_to_ids
    end, start = id("<|endoftext|>"), id("<|startoftranscript|>")
    config = WhisperConfig(
        vocab_size=len(tokenizer), d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, num_mel_bins=80, max_target_positions=64,
        bos_token_id=end, eos_token_id=end, pad_token_id=end, decoder_start_token_id=start,
        suppress_tokens=None, begin_suppress_tokens=None,
    )  # fmt: skip
    network = WhisperForConditionalGeneration(config)
    network.generation_config = GenerationConfig(
        bos_token_id=end, eos_token_id=end, pad_token_id=end, decoder_start_token_id=start, is_multilingual=True,
        lang_to_id={"<|en|>": id("<|en|>"), "<|de|>": id("<|de|>")}, max_length=64,
        task_to_id={"transcribe": id("<|transcribe|>"), "translate": id("<|translate|>")},
        no_timestamps_token_id=id("<|notimestamps|>"), prev_sot_token_id=id("<|startofprev|>"),
        suppress_tokens=[id(name) for name in specials], begin_suppress_tokens=[end],
    )  # fmt: skip
    network.save_pretrained(folder)
    WhisperProcessor(WhisperFeatureExtractor(feature_size=80), tokenizer).save_pretrained(folder)
    return folder


def chat(folder: Path) -> Path:
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

    torch.manual_seed(0)
    inner = Tokenizer(models.BPE(vocab=byte_vocabulary(), merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, eos_token="<|endoftext|>", pad_token="<|endoftext|>",
        chat_template="{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:",
    )  # fmt: skip
    tokenizer.save_pretrained(folder)
    config = Qwen2Config(
        vocab_size=257, hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=2, max_position_embeddings=256, eos_token_id=256, pad_token_id=256, bos_token_id=None,
        initializer_range=0.5,
    )  # fmt: skip
    network = Qwen2ForCausalLM(config)
    network.generation_config.eos_token_id = None  # so that the length is always the one asked for
    network.save_pretrained(folder)
    return folder


def settings_of(pipeline: Path, folder: Path) -> Path:
    """What a pipeline has beside its weights."""
    for file in pipeline.rglob("*"):
        if file.suffix in (".json", ".txt"):
            (folder / file.relative_to(pipeline)).parent.mkdir(parents=True, exist_ok=True)
            (folder / file.relative_to(pipeline)).write_bytes(file.read_bytes())
    return folder


def checkpoint(pipeline: Path, file: Path) -> Path:
    """The tiny Stable Diffusion as one file, its tensors named as in the authors' own code (LDM)."""
    import torch
    from diffusers import StableDiffusionPipeline
    from safetensors.torch import save_file

    made = StableDiffusionPipeline.from_pretrained(
        pipeline, variant="fp16", local_files_only=True, safety_checker=None, feature_extractor=None,
        requires_safety_checker=False,
    )  # fmt: skip
    tensors = {f"cond_stage_model.transformer.{k}": v for k, v in _named_text(made.text_encoder.state_dict()).items()}
    for part, names, beginning in (
        (made.unet, _PLACES, "model.diffusion_model."),
        (made.vae, _VAE, "first_stage_model."),
    ):
        for name, tensor in part.state_dict().items():
            tensors[beginning + _renamed(name, names)] = _flat(name, tensor)
    file.parent.mkdir(parents=True, exist_ok=True)
    save_file({name: tensor.to(torch.float32).contiguous() for name, tensor in tensors.items()}, file)
    return file


def _named_text(state: dict) -> dict:
    return {name if name.startswith("text_model.") else f"text_model.{name}": tensor for name, tensor in state.items()}


def _flat(name: str, tensor):
    """LDM's VAE attends by 1 x 1 convolutions."""
    attends = "mid_block.attentions.0" in name and name.startswith(("encoder", "decoder")) and tensor.ndim == 2
    return tensor[:, :, None, None] if attends else tensor


def _renamed(name: str, names: tuple[tuple[str, str], ...]) -> str:
    for theirs, ldm in (*_RESNET, *names) if names is _PLACES and "resnets" in name else names:
        name = name.replace(theirs, ldm)
    return name


_RESNET = (
    (".norm1.", ".in_layers.0."), (".conv1.", ".in_layers.2."), (".time_emb_proj.", ".emb_layers.1."),
    (".norm2.", ".out_layers.0."), (".conv2.", ".out_layers.3."), (".conv_shortcut.", ".skip_connection."),
)  # fmt: skip
_PLACES = (
    ("down_blocks.0.resnets.0.", "input_blocks.1.0."), ("down_blocks.0.downsamplers.0.conv.", "input_blocks.2.0.op."),
    ("down_blocks.1.resnets.0.", "input_blocks.3.0."), ("down_blocks.1.attentions.0.", "input_blocks.3.1."),
    ("mid_block.resnets.0.", "middle_block.0."), ("mid_block.attentions.0.", "middle_block.1."),
    ("mid_block.resnets.1.", "middle_block.2."), ("up_blocks.0.resnets.0.", "output_blocks.0.0."),
    ("up_blocks.0.attentions.0.", "output_blocks.0.1."), ("up_blocks.0.resnets.1.", "output_blocks.1.0."),
    ("up_blocks.0.attentions.1.", "output_blocks.1.1."), ("up_blocks.0.upsamplers.0.conv.", "output_blocks.1.2.conv."),
    ("up_blocks.1.resnets.0.", "output_blocks.2.0."), ("up_blocks.1.resnets.1.", "output_blocks.3.0."),
    ("time_embedding.linear_1.", "time_embed.0."), ("time_embedding.linear_2.", "time_embed.2."),
    ("conv_in.", "input_blocks.0.0."), ("conv_norm_out.", "out.0."), ("conv_out.", "out.2."),
)  # fmt: skip
_VAE = (
    ("encoder.down_blocks.0.resnets.", "encoder.down.0.block."),
    ("encoder.down_blocks.1.resnets.", "encoder.down.1.block."),
    ("encoder.down_blocks.0.downsamplers.0.", "encoder.down.0.downsample."),
    ("decoder.up_blocks.0.resnets.", "decoder.up.1.block."), ("decoder.up_blocks.1.resnets.", "decoder.up.0.block."),
    ("decoder.up_blocks.0.upsamplers.0.", "decoder.up.1.upsample."),
    ("mid_block.resnets.0.", "mid.block_1."), ("mid_block.resnets.1.", "mid.block_2."),
    ("mid_block.attentions.0.group_norm.", "mid.attn_1.norm."), ("mid_block.attentions.0.to_q.", "mid.attn_1.q."),
    ("mid_block.attentions.0.to_k.", "mid.attn_1.k."), ("mid_block.attentions.0.to_v.", "mid.attn_1.v."),
    ("mid_block.attentions.0.to_out.0.", "mid.attn_1.proj_out."), ("conv_shortcut.", "nin_shortcut."),
    ("conv_norm_out.", "norm_out."),
)  # fmt: skip


def lora(pipeline: Path, file: Path, seed: int) -> Path:
    """A LoRA on the network of a tiny pipeline, saved as diffusers saves one."""
    import torch
    from diffusers import StableDiffusionPipeline, UNet2DConditionModel
    from peft import LoraConfig
    from peft.utils import get_peft_model_state_dict

    torch.manual_seed(seed)
    network = UNet2DConditionModel.from_pretrained(pipeline / "unet", variant="fp16", local_files_only=True)
    network.add_adapter(LoraConfig(r=2, init_lora_weights=False, target_modules=["to_k", "to_q", "to_v", "to_out.0"]))
    StableDiffusionPipeline.save_lora_weights(
        file.parent, unet_lora_layers=get_peft_model_state_dict(network), weight_name=file.name
    )
    return file
