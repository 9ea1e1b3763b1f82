"""Tiny models that look at pictures: made from configuration, random weights, saved as the real ones are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.nodes.models.tiny.builders import byte_vocabulary, clip_tokenizer

MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
SIDE = 32
_NAMES = dict(enumerate(("cat", "dog", "cup", "car", "sky")))
NAMES: dict[str, Any] = {"id2label": _NAMES, "label2id": {name: i for i, name in _NAMES.items()}}
VIT = {
    "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16, "image_size": SIDE,
    "patch_size": 8,
}  # fmt: skip
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = (*SPECIAL, "a", "the", "what", "is", "on", "cat", "dog", "cup", "car", "red", "blue", "?", ".", ",")


def _prepare(folder: Path, kind: str, **more: object) -> None:
    values = {
        "image_processor_type": kind, "do_resize": True, "do_rescale": True, "do_normalize": True, "image_mean": MEAN,
        "image_std": STD, "rescale_factor": 1 / 255, "resample": 3, "size": {"height": SIDE, "width": SIDE},
    }  # fmt: skip
    (folder / "preprocessor_config.json").write_text(json.dumps(values | more), "utf-8")


def bert_tokenizer(folder: Path) -> Any:
    """Small letters, one piece a letter for words that it does not know."""
    from transformers import BertTokenizer

    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    words = list(dict.fromkeys([*WORDS, *letters, *(f"##{letter}" for letter in letters)]))
    tokenizer = BertTokenizer(vocab={word: number for number, word in enumerate(words)}, do_lower_case=True)
    tokenizer.model_max_length = 40
    tokenizer.save_pretrained(folder)
    return tokenizer


def depth_anything(folder: Path) -> Path:
    import torch
    from transformers import DepthAnythingConfig, DepthAnythingForDepthEstimation, Dinov2Config

    torch.manual_seed(0)
    backbone = Dinov2Config(**VIT, out_indices=[1, 2], apply_layernorm=True, reshape_hidden_states=False)
    config = DepthAnythingConfig(
        backbone_config=backbone, patch_size=8, reassemble_hidden_size=16, reassemble_factors=[2, 1],
        neck_hidden_sizes=[8, 8], fusion_hidden_size=8, head_in_index=-1, head_hidden_size=8,
    )  # fmt: skip
    DepthAnythingForDepthEstimation(config).save_pretrained(folder)
    _prepare(folder, "DPTImageProcessor", keep_aspect_ratio=True, ensure_multiple_of=8, do_pad=False)
    return folder


def vit(folder: Path) -> Path:
    import torch
    from transformers import ViTConfig, ViTForImageClassification

    torch.manual_seed(0)
    ViTForImageClassification(ViTConfig(**VIT, **NAMES, initializer_range=0.5)).save_pretrained(folder)
    _prepare(folder, "ViTImageProcessor", resample=2)
    return folder


def clip(folder: Path) -> Path:
    import torch
    from transformers import CLIPConfig, CLIPModel

    torch.manual_seed(0)
    text = {
        "vocab_size": 514, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
        "intermediate_size": 16, "bos_token_id": 512, "eos_token_id": 513, "pad_token_id": 513,
    }  # fmt: skip
    CLIPModel(CLIPConfig(text_config=text, vision_config=VIT, projection_dim=8)).save_pretrained(folder)
    clip_tokenizer(folder)
    _prepare(
        folder, "CLIPImageProcessor", processor_class="CLIPProcessor", do_center_crop=True, do_convert_rgb=True,
        size={"shortest_edge": SIDE}, crop_size={"height": SIDE, "width": SIDE},
    )  # fmt: skip
    return folder


def clipseg(folder: Path) -> Path:
    import torch
    from transformers import CLIPSegConfig, CLIPSegForImageSegmentation

    torch.manual_seed(0)
    text = {
        "vocab_size": 514, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
        "intermediate_size": 16, "bos_token_id": 512, "eos_token_id": 513, "pad_token_id": 513,
    }  # fmt: skip
    config = CLIPSegConfig(
        text_config=text, vision_config=VIT, projection_dim=8, extract_layers=[0, 1], reduce_dim=8,
        decoder_num_attention_heads=2, decoder_intermediate_size=16, conditional_layer=0,
    )  # fmt: skip
    network = CLIPSegForImageSegmentation(config)
    with torch.no_grad():
        for weights in network.decoder.transposed_convolution.parameters():
            weights.normal_(0, 3)
    network.save_pretrained(folder)
    clip_tokenizer(folder)
    _prepare(folder, "ViTImageProcessor", processor_class="CLIPSegProcessor")
    return folder


def blip(folder: Path, question: bool = False) -> Path:
    import torch
    from transformers import BlipConfig, BlipForConditionalGeneration, BlipForQuestionAnswering

    torch.manual_seed(3)
    tokenizer = bert_tokenizer(folder)
    text = {
        "vocab_size": len(tokenizer), "hidden_size": 16, "encoder_hidden_size": 16, "intermediate_size": 16,
        "num_hidden_layers": 1, "num_attention_heads": 2, "max_position_embeddings": 64, "projection_dim": 8,
        "bos_token_id": 2, "eos_token_id": 3, "sep_token_id": 3, "pad_token_id": 0, "initializer_range": 0.5,
    }  # fmt: skip
    config = BlipConfig(text_config=text, vision_config=VIT, projection_dim=8)
    (BlipForQuestionAnswering if question else BlipForConditionalGeneration)(config).save_pretrained(folder)
    _prepare(folder, "BlipImageProcessor", processor_class="BlipProcessor", do_convert_rgb=True)
    return folder


def byte_tokenizer(*special: str) -> Any:
    """One token a byte, the end of a text, and the special ones."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE(vocab=byte_vocabulary(), merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<|endoftext|>", pad_token="<|endoftext|>")
    tokenizer.add_special_tokens({"additional_special_tokens": list(special)})
    return tokenizer


def chat_template(picture: str) -> str:
    """One line for each message."""
    return (
        "{% for m in messages %}{% for c in m['content'] %}{% if c['type'] == 'image' %}" + picture + "{% else %}"
        "{{ c['text'] }}{% endif %}{% endfor %}\n{% endfor %}"
    )


def _words(tokenizer: Any) -> dict[str, Any]:
    return {
        "vocab_size": len(tokenizer), "hidden_size": 16, "intermediate_size": 16, "num_attention_heads": 2,
        "num_key_value_heads": 2, "initializer_range": 0.5, "pad_token_id": 256, "bos_token_id": None,
        "eos_token_id": 256,
    }  # fmt: skip


def smolvlm(folder: Path) -> Path:
    import torch
    from transformers import (
        Idefics3Config,
        Idefics3ForConditionalGeneration,
        Idefics3ImageProcessorPil,
        Idefics3Processor,
    )

    torch.manual_seed(0)
    tokenizer = byte_tokenizer("<image>", "<fake_token_around_image>", "<global-img>", "<end_of_utterance>")
    config = Idefics3Config(
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"), scale_factor=2, pad_token_id=256,
        vision_config=VIT | {"num_hidden_layers": 1},
        text_config=_words(tokenizer) | {"model_type": "llama", "num_hidden_layers": 1},
    )  # fmt: skip
    network = Idefics3ForConditionalGeneration(config)
    network.generation_config.eos_token_id = None
    network.save_pretrained(folder)
    prepare = Idefics3ImageProcessorPil(size={"longest_edge": 2 * SIDE}, max_image_size={"longest_edge": SIDE})
    Idefics3Processor(prepare, tokenizer, image_seq_len=4, chat_template=chat_template("<image>")).save_pretrained(
        folder
    )
    return folder


def qwen_vl(folder: Path) -> Path:
    """With the file for films, as the real one has."""
    import torch
    from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration

    torch.manual_seed(0)
    marks = ("<|image_pad|>", "<|video_pad|>", "<|vision_start|>", "<|vision_end|>")
    tokenizer = byte_tokenizer(*marks)
    names = ("image_token_id", "video_token_id", "vision_start_token_id", "vision_end_token_id")
    config = Qwen3VLConfig(
        **dict(zip(names, map(tokenizer.convert_tokens_to_ids, marks), strict=True)),
        vision_config={
            "depth": 2, "hidden_size": 16, "intermediate_size": 16, "num_heads": 2, "patch_size": 8,
            "out_hidden_size": 16, "num_position_embeddings": 16, "deepstack_visual_indexes": [0, 1],
        },
        text_config=_words(tokenizer) | {
            "num_hidden_layers": 2, "head_dim": 8,
            "rope_scaling": {"rope_type": "default", "mrope_section": [2, 1, 1], "mrope_interleaved": True},
        },
    )  # fmt: skip
    network = Qwen3VLForConditionalGeneration(config)
    network.generation_config.eos_token_id = None
    network.save_pretrained(folder)
    tokenizer.chat_template = chat_template("<|vision_start|><|image_pad|><|vision_end|>")
    tokenizer.save_pretrained(folder)
    _prepare(
        folder, "Qwen2VLImageProcessorFast", processor_class="Qwen3VLProcessor", patch_size=8, temporal_patch_size=2,
        merge_size=2, size={"longest_edge": 4096, "shortest_edge": 256},
    )  # fmt: skip
    (folder / "video_preprocessor_config.json").write_text('{"video_processor_type": "Qwen3VLVideoProcessor"}', "utf-8")
    return folder


def _letters() -> dict[str, int]:
    """The vocabulary of BART and RoBERTa without merges."""
    first = ["<s>", "<pad>", "</s>", "<unk>"]
    inner = [letter for letter in byte_vocabulary() if letter != "<|endoftext|>"]
    return {word: number for number, word in enumerate([*first, *inner, "<mask>"])}


def florence(folder: Path) -> Path:
    import torch
    from transformers import (
        BartTokenizer,
        CLIPImageProcessorPil,
        Florence2Config,
        Florence2ForConditionalGeneration,
        Florence2Processor,
    )

    torch.manual_seed(0)
    tokenizer = BartTokenizer(vocab=_letters(), merges=[], extra_special_tokens={"image_token": "<image>"})
    config = Florence2Config(
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        vision_config={
            "embed_dim": [8, 8, 16, 16], "num_heads": [1, 1, 2, 2], "num_groups": [1, 1, 2, 2], "depths": [1, 1, 1, 1],
            "window_size": 2, "projection_dim": 16, "max_temporal_embeddings": 4, "max_position_embeddings": 8,
            "patch_size": [7, 3, 3, 3],
        },
        text_config={
            "model_type": "bart", "vocab_size": len(tokenizer), "d_model": 16, "encoder_layers": 1, "init_std": 0.5,
            "decoder_layers": 1, "encoder_attention_heads": 2, "decoder_attention_heads": 2, "encoder_ffn_dim": 16,
            "decoder_ffn_dim": 16, "max_position_embeddings": 512, "pad_token_id": 1, "bos_token_id": 0,
            "eos_token_id": 2, "decoder_start_token_id": 2,
        },
    )  # fmt: skip
    Florence2ForConditionalGeneration(config).save_pretrained(folder)
    prepare = CLIPImageProcessorPil(size={"height": 64, "width": 64}, do_center_crop=False, image_seq_length=5)
    Florence2Processor(prepare, tokenizer, num_additional_image_tokens=0).save_pretrained(folder)
    return folder


def trocr(folder: Path) -> Path:
    import torch
    from transformers import (
        RobertaTokenizer,
        TrOCRConfig,
        TrOCRProcessor,
        VisionEncoderDecoderConfig,
        VisionEncoderDecoderModel,
        ViTConfig,
        ViTImageProcessorPil,
    )

    torch.manual_seed(0)
    tokenizer = RobertaTokenizer(vocab=_letters(), merges=[])
    words = TrOCRConfig(
        vocab_size=len(tokenizer), d_model=16, decoder_layers=1, decoder_attention_heads=2, decoder_ffn_dim=16,
        cross_attention_hidden_size=16, max_position_embeddings=160, init_std=0.5, is_decoder=True,
        add_cross_attention=True,
    )  # fmt: skip
    config = VisionEncoderDecoderConfig.from_encoder_decoder_configs(ViTConfig(**VIT), words)
    config.decoder_start_token_id, config.pad_token_id = 2, 1
    network = VisionEncoderDecoderModel(config)
    network.generation_config.decoder_start_token_id, network.generation_config.pad_token_id = 2, 1
    network.save_pretrained(folder)
    TrOCRProcessor(ViTImageProcessorPil(size={"height": SIDE, "width": SIDE}), tokenizer).save_pretrained(folder)
    return folder


def dinov2(folder: Path) -> Path:
    import torch
    from transformers import Dinov2Config, Dinov2Model

    torch.manual_seed(0)
    Dinov2Model(Dinov2Config(**VIT, initializer_range=0.5)).save_pretrained(folder)
    _prepare(
        folder, "BitImageProcessor", size={"shortest_edge": SIDE}, do_center_crop=True,
        crop_size={"height": SIDE, "width": SIDE},
    )  # fmt: skip
    return folder


def eomt(folder: Path) -> Path:
    import torch
    from transformers import EomtConfig, EomtForUniversalSegmentation

    torch.manual_seed(0)
    config = EomtConfig(
        **NAMES, hidden_size=16, num_hidden_layers=3, num_attention_heads=2, image_size=64, patch_size=16, num_blocks=1,
        num_queries=6, num_upscale_blocks=1, num_register_tokens=1,
    )  # fmt: skip
    network = EomtForUniversalSegmentation(config)
    with torch.no_grad():
        network.class_predictor.weight.normal_(0, 3)  # else everything is "nothing"
    network.save_pretrained(folder)
    _prepare(folder, "EomtImageProcessor", size={"shortest_edge": 64, "longest_edge": 64}, resample=2, do_pad=True)
    return folder


def sam2(folder: Path) -> Path:
    """Saved as the one for films, as the real ones are."""
    import torch
    from transformers import Sam2VideoConfig, Sam2VideoModel

    torch.manual_seed(0)
    config = Sam2VideoConfig(
        vision_config={
            "backbone_config": {
                "model_type": "sam2_hiera_det_model", "hidden_size": 8, "image_size": [64, 64],
                "num_attention_heads": 1,
                "blocks_per_stage": [1, 1, 1, 1], "embed_dim_per_stage": [8, 16, 32, 64],
                "num_attention_heads_per_stage": [1, 1, 2, 2], "window_size_per_stage": [4, 4, 4, 4],
                "global_attention_blocks": [], "window_positional_embedding_background_size": [2, 2],
            },
            "backbone_channel_list": [64, 32, 16, 8], "backbone_feature_sizes": [[16, 16], [8, 8], [4, 4]],
            "fpn_hidden_size": 128,
        },
        prompt_encoder_config={"hidden_size": 128, "image_size": 64, "mask_input_channels": 4},
        mask_decoder_config={
            "hidden_size": 128, "mlp_dim": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
            "iou_head_hidden_dim": 16,
        },
        image_size=64, num_maskmem=3, memory_attention_hidden_size=128, memory_attention_num_layers=1,
        memory_attention_feed_forward_hidden_size=16, memory_attention_rope_feat_sizes=[4, 4],
        memory_encoder_hidden_size=128, memory_encoder_output_channels=64, mask_downsampler_embed_dim=128,
        memory_fuser_embed_dim=128, memory_fuser_intermediate_dim=16, memory_fuser_num_layers=1,
        max_object_pointers_in_encoder=4,
    )  # fmt: skip
    Sam2VideoModel(config).save_pretrained(folder)
    _prepare(folder, "Sam2ImageProcessor", size={"height": 64, "width": 64})
    return folder


def llava(folder: Path) -> Path:
    import torch
    from transformers import CLIPImageProcessorPil, LlavaConfig, LlavaForConditionalGeneration, LlavaProcessor

    torch.manual_seed(0)
    tokenizer = byte_tokenizer("<image>")
    text = {
        "model_type": "qwen2", "vocab_size": len(tokenizer), "hidden_size": 16, "intermediate_size": 16,
        "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2, "initializer_range": 0.5,
        "bos_token_id": None, "eos_token_id": 256, "pad_token_id": 256,
    }  # fmt: skip
    vision = {"model_type": "clip_vision_model", **VIT, "projection_dim": 8}
    image = tokenizer.convert_tokens_to_ids("<image>")
    config = LlavaConfig(vision_config=vision, text_config=text, image_token_index=image, image_token_id=image)
    network = LlavaForConditionalGeneration(config)
    network.generation_config.eos_token_id = None
    network.save_pretrained(folder)
    sides = {"height": SIDE, "width": SIDE}
    LlavaProcessor(
        CLIPImageProcessorPil(size={"shortest_edge": SIDE}, crop_size=sides), tokenizer, patch_size=8,
        vision_feature_select_strategy="default", num_additional_image_tokens=1,
        chat_template=chat_template("<image>"),
    ).save_pretrained(folder)  # fmt: skip
    return folder


def vitpose(folder: Path) -> Path:
    import torch
    from transformers import VitPoseBackboneConfig, VitPoseConfig, VitPoseForPoseEstimation

    torch.manual_seed(0)
    backbone = VitPoseBackboneConfig(
        image_size=[64, 48], patch_size=[16, 16], hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        mlp_ratio=1, out_indices=[1],
    )  # fmt: skip
    names = {str(number): f"joint {number}" for number in range(17)}
    config = VitPoseConfig(backbone_config=backbone, id2label=names, use_simple_decoder=True)
    VitPoseForPoseEstimation(config).save_pretrained(folder)
    _prepare(folder, "VitPoseImageProcessor", do_affine_transform=True, size={"height": 64, "width": 48})
    return folder


def blip_question(folder: Path) -> Path:
    return blip(folder, question=True)


def vilt(folder: Path) -> Path:
    import torch
    from transformers import ViltConfig, ViltForQuestionAnswering

    torch.manual_seed(0)
    tokenizer = bert_tokenizer(folder)
    config = ViltConfig(
        **VIT, **NAMES, vocab_size=len(tokenizer), max_position_embeddings=40, type_vocab_size=2, max_image_length=-1,
        initializer_range=0.5,
    )  # fmt: skip
    ViltForQuestionAnswering(config).save_pretrained(folder)
    _prepare(
        folder, "ViltImageProcessor", processor_class="ViltProcessor", size={"shortest_edge": SIDE}, size_divisor=8,
        do_pad=True,
    )  # fmt: skip
    return folder


def grounding_dino(folder: Path) -> Path:
    from transformers import GroundingDinoConfig, GroundingDinoForObjectDetection

    return _grounding(folder, GroundingDinoConfig, GroundingDinoForObjectDetection)


def llmdet(folder: Path) -> Path:
    """An MM Grounding DINO, each of whose layers has a head of its own, as those on the hub have."""
    from transformers import MMGroundingDinoConfig, MMGroundingDinoForObjectDetection

    apart = {"decoder_bbox_embed_share": False, "decoder_cls_embed_share": False}
    return _grounding(folder, MMGroundingDinoConfig, MMGroundingDinoForObjectDetection, **apart)


def _grounding(folder: Path, config: Any, network: Any, **more: Any) -> Path:
    import torch

    torch.manual_seed(0)
    tokenizer = bert_tokenizer(folder)
    settings = config(
        backbone_config={
            "model_type": "swin", "image_size": 64, "embed_dim": 8, "depths": [1, 1, 1, 1], "num_heads": [1, 1, 2, 2],
            "window_size": 2, "out_indices": [2, 3, 4],
        },
        text_config={
            "model_type": "bert", "vocab_size": len(tokenizer), "hidden_size": 16, "num_hidden_layers": 1,
            "num_attention_heads": 2, "intermediate_size": 16,
        },
        d_model=32, encoder_layers=1, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=2,
        encoder_ffn_dim=16, decoder_ffn_dim=16, num_queries=8, max_text_len=40, num_feature_levels=4, **more,
    )  # fmt: skip
    made = network(settings)
    for head in made.bbox_embed:  # as training leaves them: none is like another
        torch.nn.init.normal_(head.layers[-1].weight, std=0.5)
    made.save_pretrained(folder)
    _prepare(
        folder, "GroundingDinoImageProcessor", processor_class="GroundingDinoProcessor", do_pad=True,
        format="coco_detection", size={"shortest_edge": 64, "longest_edge": 96}, resample=2,
    )  # fmt: skip
    return folder


def owlv2(folder: Path) -> Path:
    import torch
    from transformers import Owlv2Config, Owlv2ForObjectDetection

    torch.manual_seed(0)
    text = {
        "vocab_size": 514, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
        "intermediate_size": 16, "max_position_embeddings": 16, "bos_token_id": 512, "eos_token_id": 513,
        "pad_token_id": 513,
    }  # fmt: skip
    Owlv2ForObjectDetection(Owlv2Config(text_config=text, vision_config=VIT, projection_dim=16)).save_pretrained(folder)
    from transformers import CLIPTokenizer

    tokenizer = CLIPTokenizer.from_pretrained(clip_tokenizer(folder))
    tokenizer.model_max_length = 16
    tokenizer.save_pretrained(folder)
    _prepare(folder, "Owlv2ImageProcessor", processor_class="Owlv2Processor", do_pad=True, resample=2)
    return folder


def segformer(folder: Path) -> Path:
    import torch
    from transformers import SegformerConfig, SegformerForSemanticSegmentation

    torch.manual_seed(0)
    config = SegformerConfig(
        **NAMES, num_encoder_blocks=2, depths=[1, 1], sr_ratios=[2, 1], hidden_sizes=[8, 8], patch_sizes=[7, 3],
        strides=[4, 2], num_attention_heads=[1, 1], mlp_ratios=[2, 2], decoder_hidden_size=8, initializer_range=0.5,
    )  # fmt: skip
    SegformerForSemanticSegmentation(config).save_pretrained(folder)
    _prepare(folder, "SegformerImageProcessor", do_reduce_labels=True, resample=2)
    return folder


def mask2former(folder: Path) -> Path:
    import torch
    from transformers import Mask2FormerConfig, Mask2FormerForUniversalSegmentation

    torch.manual_seed(0)
    config = Mask2FormerConfig(
        backbone_config={
            "model_type": "swin", "image_size": 64, "embed_dim": 8, "depths": [1, 1, 1, 1], "num_heads": [1, 1, 2, 2],
            "window_size": 2, "out_features": ["stage1", "stage2", "stage3", "stage4"],
        },
        **NAMES, feature_size=32, mask_feature_size=32, hidden_dim=32, encoder_feedforward_dim=16, encoder_layers=1,
        decoder_layers=2, num_attention_heads=2, dim_feedforward=16, num_queries=6,
    )  # fmt: skip
    network = Mask2FormerForUniversalSegmentation(config)
    with torch.no_grad():
        network.class_predictor.weight.normal_(0, 3)  # else everything is "nothing"
    network.save_pretrained(folder)
    _prepare(
        folder, "Mask2FormerImageProcessor", size={"height": 64, "width": 64}, resample=2, num_labels=5,
        ignore_index=255,
    )  # fmt: skip
    return folder


def rf_detr(folder: Path) -> Path:
    import torch
    from transformers import RfDetrConfig, RfDetrForObjectDetection

    torch.manual_seed(0)
    config = RfDetrConfig(
        backbone_config={
            "model_type": "rf_detr_dinov2", "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
            "image_size": 64, "patch_size": 16, "num_windows": 2, "out_features": ["stage1", "stage2"],
        },
        **NAMES, d_model=32, decoder_layers=2, decoder_self_attention_heads=2, decoder_cross_attention_heads=2,
        decoder_ffn_dim=16, decoder_n_points=2, num_queries=8, group_detr=1,
    )  # fmt: skip
    RfDetrForObjectDetection(config).save_pretrained(folder)
    _prepare(folder, "RfDetrImageProcessor", size={"height": 64, "width": 64}, do_pad=False)
    return folder


def d_fine(folder: Path) -> Path:
    import torch
    from transformers import DFineConfig, DFineForObjectDetection

    torch.manual_seed(0)
    config = DFineConfig(
        backbone_config={
            "model_type": "hgnet_v2", "stem_channels": [3, 4, 4], "stage_in_channels": [4, 8, 16, 16],
            "stage_mid_channels": [4, 4, 8, 8], "stage_out_channels": [8, 16, 16, 32], "stage_num_blocks": [1] * 4,
            "stage_downsample": [False, True, True, True], "stage_light_block": [False, False, True, True],
            "stage_kernel_size": [3, 3, 5, 5], "stage_numb_of_layers": [2] * 4, "embedding_size": 4,
            "hidden_sizes": [8, 16, 16, 32], "depths": [1] * 4, "out_features": ["stage2", "stage3", "stage4"],
        },
        **NAMES, encoder_hidden_dim=32, encoder_in_channels=[16, 16, 32], encoder_ffn_dim=16, encoder_attention_heads=2,
        d_model=32, num_queries=8, decoder_in_channels=[32] * 3, decoder_ffn_dim=16, decoder_layers=2, num_denoising=0,
        decoder_attention_heads=2, decoder_n_points=[2] * 3, depth_mult=0.34, lqe_hidden_dim=8,
    )  # fmt: skip
    DFineForObjectDetection(config).save_pretrained(folder)
    _prepare(folder, "RTDetrImageProcessor", size={"height": 64, "width": 64}, do_normalize=False, resample=2)
    return folder


def oneformer(folder: Path) -> Path:
    import torch
    from transformers import (
        CLIPTokenizer,
        OneFormerConfig,
        OneFormerForUniversalSegmentation,
        OneFormerImageProcessorPil,
        OneFormerProcessor,
    )

    torch.manual_seed(0)
    words = CLIPTokenizer.from_pretrained(clip_tokenizer(folder))
    config = OneFormerConfig(
        backbone_config={
            "model_type": "swin", "image_size": 64, "embed_dim": 8, "depths": [1, 1, 1, 1], "num_heads": [1, 1, 2, 2],
            "window_size": 2, "out_features": ["stage1", "stage2", "stage3", "stage4"],
        },
        **NAMES, num_queries=6, text_encoder_width=16, text_encoder_num_layers=1, text_encoder_vocab_size=len(words),
        text_encoder_proj_layers=1, text_encoder_n_ctx=2, conv_dim=32, mask_dim=32, hidden_dim=32, is_training=False,
        encoder_feedforward_dim=16, encoder_layers=1, decoder_layers=2, num_attention_heads=2, dim_feedforward=16,
    )  # fmt: skip
    network = OneFormerForUniversalSegmentation(config)
    with torch.no_grad():
        network.model.transformer_module.decoder.class_embed.weight.normal_(0, 3)  # else everything is "nothing"
    network.save_pretrained(folder)
    prepare = OneFormerImageProcessorPil(size={"height": 64, "width": 64}, num_text=2, num_labels=5, ignore_index=255)
    OneFormerProcessor(prepare, words).save_pretrained(folder)
    for name in ("preprocessor_config.json", "processor_config.json"):  # as the real one names a file of the hub
        if (folder / name).is_file():
            said = json.loads((folder / name).read_text("utf-8"))
            said.get("image_processor", said)["class_info_file"] = "coco_panoptic.json"
            (folder / name).write_text(json.dumps(said), "utf-8")
    return folder
