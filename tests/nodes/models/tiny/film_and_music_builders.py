"""Tiny models that make films and music out of noise, with random weights, saved as the real ones are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.nodes.models.tiny.vision_builders import byte_tokenizer
from tests.nodes.models.tiny.word_and_sound_builders import word_tokenizer


def _t5(folder: Path) -> dict[str, Any]:
    """A text encoder with its tokenizer."""
    from transformers import AutoTokenizer, T5Config, T5EncoderModel

    size = word_tokenizer(folder / "tokenizer")
    config = T5Config(vocab_size=size, d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2, pad_token_id=0)
    return {
        "text_encoder": T5EncoderModel(config).eval(),
        "tokenizer": AutoTokenizer.from_pretrained(folder / "tokenizer"),
    }


def ltx(folder: Path) -> Path:
    import torch
    from diffusers import (
        AutoencoderKLLTXVideo,
        FlowMatchEulerDiscreteScheduler,
        LTXPipeline,
        LTXVideoTransformer3DModel,
    )

    torch.manual_seed(0)
    vae = AutoencoderKLLTXVideo(
        latent_channels=8, block_out_channels=(8,) * 4, decoder_block_out_channels=(8,) * 4,
        layers_per_block=(1,) * 5, decoder_layers_per_block=(1,) * 5,
    )  # fmt: skip
    vae.latents_mean.normal_(0, 0.5)
    vae.latents_std.uniform_(0.5, 1.5)
    network = LTXVideoTransformer3DModel(
        in_channels=8, out_channels=8, num_attention_heads=2, attention_head_dim=8, cross_attention_dim=16,
        num_layers=1, caption_channels=16,
    )  # fmt: skip
    scheduler = FlowMatchEulerDiscreteScheduler(use_dynamic_shifting=True)
    LTXPipeline(scheduler=scheduler, vae=vae, transformer=network, **_t5(folder)).save_pretrained(folder)
    return folder


def stable_video(folder: Path) -> Path:
    import torch
    from diffusers import (
        AutoencoderKLTemporalDecoder,
        EulerDiscreteScheduler,
        StableVideoDiffusionPipeline,
        UNetSpatioTemporalConditionModel,
    )
    from transformers import CLIPImageProcessor, CLIPVisionConfig, CLIPVisionModelWithProjection

    torch.manual_seed(0)
    vae = AutoencoderKLTemporalDecoder(
        block_out_channels=(32, 32), down_block_types=("DownEncoderBlock2D",) * 2, layers_per_block=1
    )  # fmt: skip
    unet = UNetSpatioTemporalConditionModel(
        block_out_channels=(32, 64), layers_per_block=1, cross_attention_dim=16, num_attention_heads=(2, 4),
        down_block_types=("CrossAttnDownBlockSpatioTemporal", "DownBlockSpatioTemporal"), num_frames=6,
        up_block_types=("UpBlockSpatioTemporal", "CrossAttnUpBlockSpatioTemporal"), addition_time_embed_dim=8,
        projection_class_embeddings_input_dim=24,
    )  # fmt: skip
    eye = CLIPVisionConfig(
        image_size=224, patch_size=56, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, projection_dim=16,
    )  # fmt: skip
    StableVideoDiffusionPipeline(
        vae=vae, image_encoder=CLIPVisionModelWithProjection(eye), unet=unet, feature_extractor=CLIPImageProcessor(),
        scheduler=EulerDiscreteScheduler(prediction_type="v_prediction", timestep_type="continuous", sigma_min=0.002,
                                         sigma_max=700.0, use_karras_sigmas=True),
    ).save_pretrained(folder)  # fmt: skip
    return folder


def _oobleck(rate: int, fewer: Sequence[int] = (2, 4)) -> Any:
    """So many times fewer latents than samples: a song is heard beside half a minute of them, each with each other."""
    from diffusers import AutoencoderOobleck

    return AutoencoderOobleck(
        encoder_hidden_size=4, downsampling_ratios=[*fewer], channel_multiples=[1, 2], decoder_channels=4,
        decoder_input_channels=4, sampling_rate=rate,
    )  # fmt: skip


def stable_audio(folder: Path) -> Path:
    import torch
    from diffusers import (
        CosineDPMSolverMultistepScheduler,
        StableAudioDiTModel,
        StableAudioPipeline,
        StableAudioProjectionModel,
    )

    torch.manual_seed(0)
    network = StableAudioDiTModel(
        sample_size=400, in_channels=4, out_channels=4, num_layers=1, attention_head_dim=16, num_attention_heads=2,
        num_key_value_attention_heads=2, cross_attention_dim=16, cross_attention_input_dim=16, time_proj_dim=8,
        global_states_input_dim=32,
    )  # fmt: skip
    StableAudioPipeline(
        vae=_oobleck(3200), projection_model=StableAudioProjectionModel(16, 16, 0, 512), transformer=network,
        scheduler=CosineDPMSolverMultistepScheduler(solver_order=2, sigma_min=0.3, sigma_max=500.0, sigma_data=1.0),
        **_t5(folder),
    ).save_pretrained(folder)  # fmt: skip
    return folder


def ace_step(folder: Path) -> Path:
    import torch
    from diffusers import AceStepPipeline, AceStepTransformer1DModel, FlowMatchEulerDiscreteScheduler
    from diffusers.pipelines.ace_step.modeling_ace_step import AceStepConditionEncoder
    from transformers import Qwen3Config, Qwen3Model

    torch.manual_seed(0)
    words = byte_tokenizer("<|endoftext|>")
    text = Qwen3Config(
        vocab_size=len(words), hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=2, head_dim=8, max_position_embeddings=4096, initializer_range=0.3,
    )  # fmt: skip
    sizes = {
        "hidden_size": 16, "intermediate_size": 16, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 8,
        "sliding_window": 8,
    }  # fmt: skip
    conditions = AceStepConditionEncoder(
        text_hidden_dim=16, timbre_hidden_dim=4, num_lyric_encoder_hidden_layers=1, num_timbre_encoder_hidden_layers=1,
        **sizes,
    )  # fmt: skip
    conditions.silence_latent.normal_()
    network = AceStepTransformer1DModel(
        num_hidden_layers=2, in_channels=12, audio_acoustic_hidden_dim=4, is_turbo=True, encoder_hidden_size=16, **sizes
    )
    AceStepPipeline(
        vae=_oobleck(3200, [4, 8]), text_encoder=Qwen3Model(text), tokenizer=words, transformer=network,
        condition_encoder=conditions, scheduler=FlowMatchEulerDiscreteScheduler(num_train_timesteps=1, shift=1.0),
    ).save_pretrained(folder)  # fmt: skip
    return folder
