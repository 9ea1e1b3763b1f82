"""Tiny models of the kinds that the back ends load: made from configuration, random weights, saved for good."""

from __future__ import annotations

import json
from pathlib import Path

WORDS = ("a", "cat", "in", "the", "sun", "what", "is", "said", "hello", "world", "no", "colour", "red", "house")


def byte_vocabulary() -> dict[str, int]:
    """The 256 byte letters of GPT-2's alphabet and the end of a text."""
    from tokenizers.pre_tokenizers import ByteLevel

    letters = sorted(ByteLevel.alphabet())
    return {letter: number for number, letter in enumerate([*letters, "<|endoftext|>"])}


def yolos(folder: Path) -> Path:
    import torch
    from transformers import YolosConfig, YolosForObjectDetection
    from transformers.models.yolos.image_processing_pil_yolos import YolosImageProcessorPil

    torch.manual_seed(0)
    names = dict(enumerate(("cat", "dog", "cup", "car")))
    config = YolosConfig(
        hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, image_size=[64, 64],
        patch_size=16, num_detection_tokens=6, id2label=names, label2id={name: i for i, name in names.items()},
    )  # fmt: skip
    YolosForObjectDetection(config).save_pretrained(folder)
    YolosImageProcessorPil(size={"shortest_edge": 64, "longest_edge": 96}).save_pretrained(folder)
    return folder


def rt_detr(folder: Path) -> Path:
    import torch
    from transformers import RTDetrConfig, RTDetrForObjectDetection, RTDetrResNetConfig
    from transformers.models.rt_detr.image_processing_pil_rt_detr import RTDetrImageProcessorPil

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
    RTDetrImageProcessorPil(size={"height": 64, "width": 64}).save_pretrained(folder)
    return folder


def sam(folder: Path) -> Path:
    import torch
    from transformers import SamConfig, SamModel, SamProcessor
    from transformers.models.sam.image_processing_pil_sam import SamImageProcessorPil

    torch.manual_seed(0)
    config = SamConfig(
        vision_config={
            "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "image_size": 64, "patch_size": 16,
            "output_channels": 16, "mlp_dim": 16, "window_size": 2, "global_attn_indexes": [0],
        },
        prompt_encoder_config={"hidden_size": 16, "image_size": 64, "patch_size": 16, "mask_input_channels": 4},
        mask_decoder_config={
            "hidden_size": 16, "mlp_dim": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "iou_head_hidden_dim": 16,
        },
    )  # fmt: skip
    SamModel(config).save_pretrained(folder)
    image = SamImageProcessorPil(size={"longest_edge": 64}, pad_size={"height": 64, "width": 64})
    SamProcessor(image).save_pretrained(folder)
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


def _unet(**more: object):
    from diffusers import UNet2DConditionModel

    return UNet2DConditionModel(
        block_out_channels=(8, 16), layers_per_block=1, sample_size=8, in_channels=4, out_channels=4,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"), up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        cross_attention_dim=16, norm_num_groups=2, attention_head_dim=4, **more,
    )  # fmt: skip


def stable_diffusion(folder: Path, scheduler: str = "PNDM") -> Path:
    """Saved as the real one is: its index names a safety checker, which is not there."""
    import torch
    from diffusers import AutoencoderKL, LCMScheduler, PNDMScheduler, StableDiffusionPipeline
    from transformers import CLIPTextConfig, CLIPTextModel, CLIPTokenizer

    torch.manual_seed(0)
    vae = AutoencoderKL(
        block_out_channels=(8, 16), in_channels=3, out_channels=3, latent_channels=4, norm_num_groups=2,
        down_block_types=("DownEncoderBlock2D",) * 2, up_block_types=("UpDecoderBlock2D",) * 2, sample_size=16,
    )  # fmt: skip
    text = CLIPTextConfig(
        vocab_size=514, hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        bos_token_id=512, eos_token_id=513, pad_token_id=513,
    )  # fmt: skip
    tokenizer = CLIPTokenizer.from_pretrained(clip_tokenizer(folder / "tokenizer"))
    kind = LCMScheduler if scheduler == "LCM" else PNDMScheduler
    options = {} if scheduler == "LCM" else {"skip_prk_steps": True, "steps_offset": 1}
    pipeline = StableDiffusionPipeline(
        vae=vae, text_encoder=CLIPTextModel(text), tokenizer=tokenizer, unet=_unet(), safety_checker=None,
        scheduler=kind(beta_schedule="scaled_linear", beta_start=0.00085, beta_end=0.012, **options),
        feature_extractor=None, requires_safety_checker=False,
    )  # fmt: skip
    pipeline.save_pretrained(folder, variant="fp16")
    index = json.loads((folder / "model_index.json").read_text("utf-8"))
    index["safety_checker"] = ["stable_diffusion", "StableDiffusionSafetyChecker"]
    index["feature_extractor"] = ["transformers", "CLIPImageProcessor"]
    index["requires_safety_checker"] = True
    (folder / "model_index.json").write_text(json.dumps(index), "utf-8")
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
    network.save_pretrained(folder, variant="fp16")
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
    )  # fmt: skip
    network = Qwen2ForCausalLM(config)
    network.generation_config.eos_token_id = None  # so that the length is always the one asked for
    network.save_pretrained(folder)
    return folder
