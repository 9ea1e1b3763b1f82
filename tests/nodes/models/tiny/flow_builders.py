"""Tiny models of pictures that flow from noise (FLUX.2 klein, Z-Image, Qwen-Image): random weights, saved as the real
ones are, in 16 bits of a wide range."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.nodes.models.tiny.vision_builders import byte_tokenizer

_MARKS = ("<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>")


def _words() -> Any:
    tokenizer = byte_tokenizer(*_MARKS)
    tokenizer.chat_template = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"
    return tokenizer


def _text(words: Any, layers: int) -> dict[str, Any]:
    return {
        "vocab_size": len(words), "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": layers,
        "num_attention_heads": 2, "num_key_value_heads": 2, "max_position_embeddings": 2048, "bos_token_id": None,
        "eos_token_id": 256, "pad_token_id": 256, "initializer_range": 0.3,
    }  # fmt: skip


def _saved(pipeline: Any, folder: Path) -> Path:
    import torch

    pipeline.to(torch.bfloat16).save_pretrained(folder)
    return folder


def _scheduler(**more: Any) -> Any:
    from diffusers import FlowMatchEulerDiscreteScheduler

    return FlowMatchEulerDiscreteScheduler(**more)


def klein(folder: Path) -> Path:
    import torch
    from diffusers import AutoencoderKLFlux2, Flux2KleinPipeline, Flux2Transformer2DModel
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(0)
    words = _words()
    vae = AutoencoderKLFlux2(
        down_block_types=("DownEncoderBlock2D",) * 2, up_block_types=("UpDecoderBlock2D",) * 2,
        block_out_channels=(4, 4), layers_per_block=1, latent_channels=4, norm_num_groups=1,
    )  # fmt: skip
    vae.bn.running_mean.normal_(0, 0.5)
    network = Flux2Transformer2DModel(
        in_channels=16, num_layers=1, num_single_layers=1, attention_head_dim=16, num_attention_heads=2,
        joint_attention_dim=48, timestep_guidance_channels=16, axes_dims_rope=(4, 4, 4, 4), guidance_embeds=False,
    )  # fmt: skip
    pipeline = Flux2KleinPipeline(
        scheduler=_scheduler(use_dynamic_shifting=True), vae=vae, tokenizer=words, transformer=network,
        text_encoder=Qwen3ForCausalLM(Qwen3Config(**_text(words, 28), head_dim=8)), is_distilled=True,
    )  # fmt: skip
    return _saved(pipeline, folder)


def z_image(folder: Path) -> Path:
    import torch
    from diffusers import AutoencoderKL, ZImagePipeline, ZImageTransformer2DModel
    from transformers import Qwen3Config, Qwen3Model

    torch.manual_seed(0)
    words = _words()
    vae = AutoencoderKL(
        block_out_channels=(4, 4), down_block_types=("DownEncoderBlock2D",) * 2, latent_channels=4, norm_num_groups=2,
        up_block_types=("UpDecoderBlock2D",) * 2, scaling_factor=0.36, shift_factor=0.11, use_quant_conv=False,
        use_post_quant_conv=False,
    )  # fmt: skip
    network = ZImageTransformer2DModel(
        in_channels=4, dim=32, n_layers=1, n_refiner_layers=1, n_heads=2, n_kv_heads=2, cap_feat_dim=16,
        axes_dims=[8, 4, 4], axes_lens=[1024, 64, 64],
    )  # fmt: skip
    pipeline = ZImagePipeline(
        scheduler=_scheduler(shift=3.0), vae=vae, tokenizer=words, transformer=network,
        text_encoder=Qwen3Model(Qwen3Config(**_text(words, 2), head_dim=8)),
    )  # fmt: skip
    return _saved(pipeline, folder)


def qwen_image(folder: Path) -> Path:
    from diffusers import QwenImagePipeline

    return _saved(QwenImagePipeline(**_qwen_parts()), folder)


def qwen_controlnet(folder: Path) -> Path:
    import torch
    from diffusers import QwenImageControlNetModel

    torch.manual_seed(1)
    network = QwenImageControlNetModel(
        in_channels=16, out_channels=4, num_layers=1, attention_head_dim=16, num_attention_heads=2,
        joint_attention_dim=16, axes_dims_rope=(8, 4, 4),
    )  # fmt: skip
    with torch.no_grad():  # fresh ones begin with zeros, and would steer nothing
        for layer in (network.controlnet_x_embedder, *network.controlnet_blocks):
            layer.weight.normal_(0, 0.5)
    network.to(torch.bfloat16).save_pretrained(folder)
    return folder


def qwen_image_edit(folder: Path) -> Path:
    """With what prepares pictures for the words: the settings of its parts, as the real one has them."""
    from diffusers import QwenImageEditPlusPipeline

    return _with_processor(QwenImageEditPlusPipeline(**_qwen_parts(), processor=None), folder)


def qwen_image_layered(folder: Path) -> Path:
    from diffusers import QwenImageLayeredPipeline

    parts = _qwen_parts(4, 8, use_additional_t_cond=True, use_layer3d_rope=True)
    return _with_processor(QwenImageLayeredPipeline(**parts, processor=None), folder)


def kontext(folder: Path) -> Path:
    import torch
    from diffusers import AutoencoderKL, FluxKontextPipeline, FluxTransformer2DModel
    from transformers import CLIPTextConfig, CLIPTextModel, T5Config, T5EncoderModel

    torch.manual_seed(0)
    words = _words()
    vae = AutoencoderKL(
        block_out_channels=(4, 4), down_block_types=("DownEncoderBlock2D",) * 2, latent_channels=4, norm_num_groups=2,
        up_block_types=("UpDecoderBlock2D",) * 2, scaling_factor=0.36, shift_factor=0.11, use_quant_conv=False,
        use_post_quant_conv=False,
    )  # fmt: skip
    network = FluxTransformer2DModel(
        in_channels=16, num_layers=1, num_single_layers=1, attention_head_dim=16, num_attention_heads=2,
        joint_attention_dim=16, pooled_projection_dim=16, axes_dims_rope=(4, 4, 8), guidance_embeds=True,
    )  # fmt: skip
    clip = CLIPTextConfig(
        vocab_size=len(words), hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        max_position_embeddings=77, eos_token_id=256, bos_token_id=256, pad_token_id=256, projection_dim=16,
    )  # fmt: skip
    t5 = T5Config(vocab_size=len(words), d_model=16, d_ff=16, d_kv=8, num_layers=1, num_heads=2)
    words.model_max_length = 77
    pipeline = FluxKontextPipeline(
        scheduler=_scheduler(use_dynamic_shifting=True), vae=vae, transformer=network, tokenizer=words,
        tokenizer_2=words, text_encoder=CLIPTextModel(clip), text_encoder_2=T5EncoderModel(t5),
    )  # fmt: skip
    return _saved(pipeline, folder)


def _with_processor(pipeline: Any, folder: Path) -> Path:
    import json

    from transformers import Qwen2VLImageProcessorPil

    words = pipeline.tokenizer
    _saved(pipeline, folder)
    words.save_pretrained(folder / "processor")
    Qwen2VLImageProcessorPil().save_pretrained(folder / "processor")
    index = json.loads((folder / "model_index.json").read_text("utf-8"))
    index["processor"] = ["transformers", "Qwen2VLProcessor"]
    (folder / "model_index.json").write_text(json.dumps(index), "utf-8")
    return folder


def _qwen_parts(channels: int = 3, cells: int = 4, **more: Any) -> dict[str, Any]:
    import torch
    from diffusers import AutoencoderKLQwenImage, QwenImageTransformer2DModel
    from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration

    torch.manual_seed(0)
    words = _words()
    marks = zip(("vision_start", "vision_end", "image", "video"), _MARKS[2:], strict=True)
    config = Qwen2_5_VLConfig(
        **{f"{name}_token_id": words.convert_tokens_to_ids(mark) for name, mark in marks},
        text_config=_text(words, 2) | {"rope_scaling": {"rope_type": "default", "mrope_section": [1, 1, 2]}},
        vision_config={
            "depth": 2, "hidden_size": 16, "intermediate_size": 16, "num_heads": 2, "out_hidden_size": 16,
            "fullatt_block_indexes": [1],
        },
    )  # fmt: skip
    network = QwenImageTransformer2DModel(
        in_channels=4 * cells, out_channels=cells, num_layers=2, attention_head_dim=16, num_attention_heads=2,
        joint_attention_dim=16, axes_dims_rope=(8, 4, 4), **more,
    )  # fmt: skip
    vae = AutoencoderKLQwenImage(
        base_dim=6, z_dim=cells, dim_mult=[1, 2, 4], num_res_blocks=1, temperal_downsample=[False, True],
        latents_mean=[0.1, 0.2, 0.3, 0.4] * (cells // 4), latents_std=[1.0, 2.0, 1.5, 0.5] * (cells // 4),
        input_channels=channels,
    )  # fmt: skip
    return {
        "scheduler": _scheduler(use_dynamic_shifting=True, shift=1.0, shift_terminal=0.02), "vae": vae,
        "text_encoder": Qwen2_5_VLForConditionalGeneration(config), "tokenizer": words, "transformer": network,
    }  # fmt: skip
