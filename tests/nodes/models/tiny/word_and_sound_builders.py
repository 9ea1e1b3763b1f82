"""Tiny models of text, sound and film, made from configuration with random weights, saved as the real ones are."""

from __future__ import annotations

import json
import shutil
import struct
import warnings
from pathlib import Path
from typing import Any

import pytest

from tests.nodes.models.tiny.builders import _write
from tests.nodes.models.tiny.onnx_builders import _field
from tests.nodes.models.tiny.vision_builders import byte_tokenizer

MOODS = {0: "positive", 1: "neutral", 2: "negative"}
TAGS: dict[int, str] = dict(enumerate(("O", "B-PER", "I-PER", "B-LOC", "I-LOC")))
INFERRED = {0: "entailment", 1: "neutral", 2: "contradiction"}
_WORDS = "the a cat dog sat on mat good bad ann bob lives in rome paris text is about praise news complaint who . , ?"

_LETTERS = ("<s>", "<pad>", "</s>", "<unk>", "▁", *"abcdefghijklmnopqrstuvwxyzT.,")
"""The alphabet of the tiny SpeechT5."""


def word_tokenizer(folder: Path, *more: str) -> int:
    """A fast tokenizer of whole words and letters; gives the number of its entries."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    letters = [letter for each in "abcdefghijklmnopqrstuvwxyz0123456789" for letter in (each, f"##{each}")]
    entries = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *more, *_WORDS.split(), *letters]
    vocabulary = {entry: i for i, entry in enumerate(dict.fromkeys(entries))}
    inner = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    inner.normalizer = normalizers.BertNormalizer(lowercase=True)
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    inner.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
        mask_token="[MASK]", bos_token="[CLS]", eos_token="[SEP]", additional_special_tokens=list(more),
        model_max_length=48,
    )  # fmt: skip
    tokenizer.save_pretrained(folder)
    return len(tokenizer)


def _bert(name: str, folder: Path, **more: Any) -> Path:
    import torch
    import transformers

    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=word_tokenizer(folder), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=64, initializer_range=0.5, **more,
    )  # fmt: skip
    getattr(transformers, name)(config).save_pretrained(folder)
    return folder


def _named(names: dict[int, str]) -> dict[str, Any]:
    return {"id2label": names, "label2id": {name: i for i, name in names.items()}}


def moods(folder: Path) -> Path:
    return _bert("BertForSequenceClassification", folder, **_named(MOODS))


def inference(folder: Path) -> Path:
    return _bert("BertForSequenceClassification", folder, **_named(INFERRED))


def tagger(folder: Path) -> Path:
    return _bert("BertForTokenClassification", folder, **_named(TAGS))


def reader(folder: Path) -> Path:
    return _bert("BertForQuestionAnswering", folder)


def page_reader(folder: Path) -> Path:
    import torch
    from transformers import LayoutLMConfig, LayoutLMForQuestionAnswering

    torch.manual_seed(0)
    config = LayoutLMConfig(
        vocab_size=word_tokenizer(folder), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=64, initializer_range=0.5,
    )  # fmt: skip
    LayoutLMForQuestionAnswering(config).save_pretrained(folder)
    return folder


def embedder(folder: Path) -> Path:
    return _bert("BertModel", folder)


def summariser(folder: Path) -> Path:
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    torch.manual_seed(0)
    config = BartConfig(
        vocab_size=word_tokenizer(folder), d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=256, pad_token_id=0,
        bos_token_id=2, eos_token_id=3, decoder_start_token_id=2, forced_eos_token_id=3, init_std=0.5,
    )  # fmt: skip
    BartForConditionalGeneration(config).save_pretrained(folder)
    return folder


def table_reader(folder: Path) -> Path:
    """A BART whose tokens are bytes, with the files and the settings that TAPEX has."""
    import torch
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers import BartConfig, BartForConditionalGeneration

    torch.manual_seed(0)
    pieces = ("<s>", "<pad>", "</s>", "<unk>", *sorted(ByteLevel.alphabet()), "<mask>")
    folder.mkdir(parents=True)
    _write(folder / "vocab.json", {piece: i for i, piece in enumerate(pieces)})
    (folder / "merges.txt").write_text("#version: 0.2\n", "utf-8")
    _write(folder / "tokenizer_config.json", {"tokenizer_class": "TapexTokenizer", "model_max_length": 1024})
    config = BartConfig(
        vocab_size=len(pieces), d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=256, pad_token_id=1,
        bos_token_id=0, eos_token_id=2, decoder_start_token_id=2, forced_eos_token_id=2, init_std=0.5,
    )  # fmt: skip
    BartForConditionalGeneration(config).save_pretrained(folder)
    return folder


def translator(folder: Path) -> Path:
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    torch.manual_seed(0)
    config = T5Config(
        vocab_size=word_tokenizer(folder, "<2de>", "<2fr>"), d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2,
        pad_token_id=0, eos_token_id=3,
    )  # fmt: skip
    config.decoder_start_token_id = 0  # type: ignore[attr-defined]
    T5ForConditionalGeneration(config).save_pretrained(folder)
    return folder


def nllb(folder: Path) -> Path:
    """Converted as that of the catalogue was, without a folder of transformers beside it."""
    import torch
    from ctranslate2.converters import TransformersConverter
    from tokenizers import Tokenizer
    from transformers import M2M100Config, M2M100ForConditionalGeneration, NllbTokenizer

    torch.manual_seed(0)
    names = ("eng_Latn", "deu_Latn", "fra_Latn", "zho_Hans")
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁", *"abcdefghijklmnopqrstuvwxyzAT.,"]
    tokenizer = NllbTokenizer(
        vocab={piece: i for i, piece in enumerate(pieces)}, merges=[], additional_special_tokens=list(names)
    )  # fmt: skip
    made = folder.with_name("nllb-to-convert")
    tokenizer.save_pretrained(made)
    config = M2M100Config(
        vocab_size=len(tokenizer), d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=600, init_std=0.5,
    )  # fmt: skip
    M2M100ForConditionalGeneration(config).save_pretrained(made)
    TransformersConverter(str(made)).convert(str(folder), force=True)
    Tokenizer.from_file(str(made / "tokenizer.json")).save(str(folder / "tokenizer.json"))
    return folder


def marian(folder: Path) -> Path:
    """A pair of opus-mt in ONNX, as the real ones were converted; the network that it was made of lies in "marian".

    It can be told into which of two kinds of Chinese. Written once, as that takes seconds; all pairs are alike.
    """
    made = folder.with_name("marian")
    if not made.exists():
        _make_marian(made)
    shutil.copytree(made / "converted", folder)
    return folder


def _make_marian(folder: Path) -> None:
    import torch
    from transformers import MarianConfig, MarianMTModel

    torch.manual_seed(0)
    pieces = ["▁", *"abcdefghijklmnopqrstuvwxyzäöüTA.,", "▁the", "▁dog", "▁is", "ood", "▁sat", "▁mat", "at"]
    marks = (">>cmn_Hans<<", ">>cmn_Hant<<")
    numbers = {piece: i for i, piece in enumerate(("</s>", "<unk>", *pieces, *marks, "<pad>"))}
    config = MarianConfig(
        vocab_size=len(numbers), d_model=16, encoder_layers=1, decoder_layers=2, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=600, eos_token_id=0,
        pad_token_id=len(numbers) - 1, decoder_start_token_id=len(numbers) - 1, init_std=0.7,
        attn_implementation="eager",
    )  # fmt: skip
    network = MarianMTModel(config).eval().requires_grad_(False)
    network.final_logits_bias[0, 0] = 3  # ends before it has to
    network.save_pretrained(folder)
    converted = folder / "converted"
    (converted / "onnx").mkdir(parents=True)
    (converted / "vocab.json").write_text(json.dumps(numbers), "utf-8")
    rows = [("<unk>", 0.0, 2), ("<s>", 0.0, 3), *((piece, -8.0 + 1.5 * len(piece), 1) for piece in pieces)]
    (converted / "source.spm").write_bytes(b"".join(_field(1, _piece(*row)) for row in rows) + _field(2, b"\x18\x01"))
    _export_marian(network, converted / "onnx")


def _piece(text: str, score: float, kind: int) -> bytes:
    return _field(1, text.encode()) + b"\x15" + struct.pack("<f", score) + _field(3, kind)


def _export_marian(network: Any, folder: Path) -> None:
    import torch
    from torch.onnx._internal.torchscript_exporter import onnx_proto_utils
    from transformers import DynamicCache, EncoderDecoderCache
    from transformers.modeling_outputs import BaseModelOutput

    layers = range(network.config.decoder_layers)

    def kept(*caches: Any) -> list[Any]:
        return [t for i in layers for cache in caches for t in (cache.layers[i].keys, cache.layers[i].values)]

    class Encoder(torch.nn.Module):
        def forward(self, ids: Any, mask: Any) -> Any:
            return network.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state

    class First(torch.nn.Module):
        def forward(self, mask: Any, ids: Any, state: Any) -> Any:
            made = network(encoder_outputs=BaseModelOutput(state), attention_mask=mask, decoder_input_ids=ids)
            past = made.past_key_values
            return (made.logits, *kept(past.self_attention_cache, past.cross_attention_cache))

    class After(torch.nn.Module):
        def forward(self, mask: Any, ids: Any, *pasts: Any) -> Any:
            own, other = DynamicCache(), DynamicCache()
            for i in layers:
                own.update(*pasts[4 * i : 4 * i + 2], i)
                other.update(*pasts[4 * i + 2 : 4 * i + 4], i)
            past = EncoderDecoderCache(own, other)
            past.is_updated = dict.fromkeys(layers, True)
            state = BaseModelOutput(torch.zeros(*mask.shape, network.config.d_model))
            made = network(encoder_outputs=state, attention_mask=mask, decoder_input_ids=ids, past_key_values=past)
            return (made.logits, *kept(made.past_key_values.self_attention_cache))

    names = [f"{i}.{side}.{part}" for i in layers for side in ("decoder", "encoder") for part in ("key", "value")]
    many, sentence = {0: "many"}, {0: "many", 1: "sentence"}
    pasts = {f"past_key_values.{n}": {0: "many", 2: "past" if "decoder" in n else "sentence"} for n in names}
    ids, begin = torch.tensor([[5, 6, 0]] * 2), torch.full((2, 1), network.config.pad_token_id)
    mask = torch.ones_like(ids)
    state = Encoder()(ids, mask)
    own = [name for name in names if "decoder" in name]
    taken = {"encoder_attention_mask": sentence, "input_ids": many}
    parts: list[tuple[str, Any, tuple[Any, ...], dict[str, Any], list[str]]] = [
        ("encoder_model", Encoder(), (ids, mask), {"input_ids": sentence, "attention_mask": sentence}, ["state"]),
        ("decoder_model", First(), (mask, begin, state), taken | {"encoder_hidden_states": sentence},
         ["logits", *(f"present.{name}" for name in names)]),
        ("decoder_with_past_model", After(), (mask, begin, *First()(mask, begin, state)[1:]), taken | pasts,
         ["logits", *(f"present.{name}" for name in own)]),
    ]  # fmt: skip
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # WORKAROUND: functions of another library are looked for in what was written, by the package `onnx`
        patch.setattr(onnx_proto_utils, "_add_onnxscript_fn", lambda made, _: made)
        for name, part, given, axes, outputs in parts:
            torch.onnx.export(
                part.eval(), given, str(folder / f"{name}_quantized.onnx"), input_names=list(axes),
                output_names=outputs, dynamic_axes=axes, dynamo=False,
            )  # fmt: skip


def sound_classifier(folder: Path) -> Path:
    import torch
    from transformers import ASTConfig, ASTFeatureExtractor, ASTForAudioClassification

    torch.manual_seed(0)
    config = ASTConfig(
        hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_length=64,
        num_mel_bins=32, patch_size=16, frequency_stride=16, time_stride=16, initializer_range=0.5,
        **_named({0: "Speech", 1: "Music", 2: "Rain"}),
    )  # fmt: skip
    ASTForAudioClassification(config).save_pretrained(folder)
    ASTFeatureExtractor(max_length=64, num_mel_bins=32).save_pretrained(folder)
    return folder


def clap(folder: Path) -> Path:
    import torch
    from transformers import AutoTokenizer, ClapConfig, ClapFeatureExtractor, ClapModel, ClapProcessor

    torch.manual_seed(0)
    size = word_tokenizer(folder)
    config = ClapConfig(
        text_config={"vocab_size": size, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
                     "intermediate_size": 16, "max_position_embeddings": 64, "pad_token_id": 0, "projection_dim": 16},
        audio_config={"spec_size": 64, "patch_size": 4, "patch_stride": [4, 4], "num_mel_bins": 16, "hidden_size": 8,
                      "patch_embeds_hidden_size": 4, "depths": [1, 1], "num_attention_heads": [1, 1], "window_size": 2,
                      "num_classes": 3, "projection_dim": 16, "enable_fusion": False},
        projection_dim=16,
    )  # fmt: skip
    ClapModel(config).save_pretrained(folder)
    listening = ClapFeatureExtractor(feature_size=16, max_length_s=2, truncation="rand_trunc", padding="repeatpad")
    ClapProcessor(listening, AutoTokenizer.from_pretrained(folder)).save_pretrained(folder)
    return folder


def vits(folder: Path, phonemes: bool = False, language: str = "eng") -> Path:
    import torch
    from transformers import VitsConfig, VitsModel, VitsTokenizer

    torch.manual_seed(0)
    letters = "_ abcdefghijklmnopqrstuvwxyz'.," + ("ˈˌəɪʊɛɔæŋʃʒθðɹɡɐːɑɜɾʌ0123456789" if phonemes else "")
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "vocab.json", {letter: i for i, letter in enumerate(letters)})
    VitsTokenizer(
        str(folder / "vocab.json"), pad_token="_", unk_token="_", language=language, phonemize=phonemes,
        normalize=not phonemes,
    ).save_pretrained(folder)  # fmt: skip
    config = VitsConfig(
        vocab_size=len(letters), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, ffn_dim=16, flow_size=16,
        spectrogram_bins=9, upsample_initial_channel=16, upsample_rates=[4, 4], upsample_kernel_sizes=[8, 8],
        resblock_kernel_sizes=[3], resblock_dilation_sizes=[[1, 3, 5]], prior_encoder_num_flows=2,
        prior_encoder_num_wavenet_layers=1, posterior_encoder_num_wavenet_layers=1, duration_predictor_num_flows=2,
        depth_separable_num_layers=2, duration_predictor_filter_channels=16, depth_separable_channels=2,
        duration_predictor_flow_bins=4,
    )  # fmt: skip
    VitsModel(config).save_pretrained(folder)
    return folder


def vits_of_sounds(folder: Path) -> Path:
    return vits(folder, phonemes=True, language="")


def musicgen(folder: Path) -> Path:
    import torch
    from transformers import (
        AutoTokenizer,
        EncodecConfig,
        EncodecFeatureExtractor,
        MusicgenConfig,
        MusicgenDecoderConfig,
        MusicgenForConditionalGeneration,
        MusicgenProcessor,
        T5Config,
    )

    torch.manual_seed(0)
    size = word_tokenizer(folder)
    text = T5Config(vocab_size=size, d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2, pad_token_id=0)
    codec = EncodecConfig(
        sampling_rate=3200, num_filters=2, hidden_size=8, codebook_size=16, codebook_dim=8, num_lstm_layers=1,
        target_bandwidths=[0.8], upsampling_ratios=[8, 4], num_residual_layers=1,
    )  # fmt: skip
    decoder = MusicgenDecoderConfig(
        vocab_size=16, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, ffn_dim=16, num_codebooks=2,
        pad_token_id=16, bos_token_id=16,
    )  # fmt: skip
    config = MusicgenConfig(text_encoder=text.to_dict(), audio_encoder=codec.to_dict(), decoder=decoder.to_dict())
    network = MusicgenForConditionalGeneration(config)
    network.generation_config.decoder_start_token_id = network.generation_config.pad_token_id = 16
    network.generation_config.bos_token_id = 16
    network.save_pretrained(folder)
    MusicgenProcessor(
        EncodecFeatureExtractor(sampling_rate=3200), AutoTokenizer.from_pretrained(folder)
    ).save_pretrained(folder)
    return folder


def videomae(folder: Path) -> Path:
    import torch
    from transformers import VideoMAEConfig, VideoMAEForVideoClassification, VideoMAEImageProcessor

    torch.manual_seed(0)
    config = VideoMAEConfig(
        image_size=32, patch_size=16, num_frames=4, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, initializer_range=0.5, **_named({0: "swimming", 1: "cooking", 2: "dancing"}),
    )  # fmt: skip
    VideoMAEForVideoClassification(config).save_pretrained(folder)
    VideoMAEImageProcessor(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32}).save_pretrained(folder)
    return folder


def wan(folder: Path, from_pictures: bool = False) -> Path:
    """A pipeline that makes films; one that begins with a picture hides its noise where the picture is."""
    import torch
    from diffusers.models.autoencoders.autoencoder_kl_wan import AutoencoderKLWan
    from diffusers.models.transformers.transformer_wan import WanTransformer3DModel
    from diffusers.pipelines.wan.pipeline_wan import WanPipeline
    from diffusers.schedulers.scheduling_flow_match_euler_discrete import FlowMatchEulerDiscreteScheduler
    from transformers import AutoTokenizer, UMT5Config, UMT5EncoderModel

    torch.manual_seed(0)
    size = word_tokenizer(folder / "tokenizer")
    text = UMT5Config(vocab_size=size, d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2, pad_token_id=0)
    vae = AutoencoderKLWan(
        base_dim=4, z_dim=16, dim_mult=[1, 1, 1, 1], num_res_blocks=1, temperal_downsample=[False, True, True]
    )
    transformer = WanTransformer3DModel(
        patch_size=(1, 2, 2), num_attention_heads=2, attention_head_dim=12, in_channels=16, out_channels=16,
        text_dim=16, freq_dim=16, ffn_dim=16, num_layers=1, cross_attn_norm=True, qk_norm="rms_norm_across_heads",
        rope_max_seq_len=32,
    )  # fmt: skip
    WanPipeline(
        tokenizer=AutoTokenizer.from_pretrained(folder / "tokenizer"), text_encoder=UMT5EncoderModel(text), vae=vae,
        scheduler=FlowMatchEulerDiscreteScheduler(shift=5.0), transformer=transformer, expand_timesteps=from_pictures,
    ).save_pretrained(folder)  # fmt: skip
    return folder


def wan_of_pictures(folder: Path) -> Path:
    return wan(folder, from_pictures=True)


def moonshine(folder: Path) -> Path:
    import torch
    from transformers import (
        AutoTokenizer,
        MoonshineConfig,
        MoonshineForConditionalGeneration,
        Wav2Vec2FeatureExtractor,
        Wav2Vec2Processor,
    )

    torch.manual_seed(0)
    config = MoonshineConfig(
        vocab_size=word_tokenizer(folder), hidden_size=16, intermediate_size=16, encoder_num_hidden_layers=1,
        decoder_num_hidden_layers=1, encoder_num_attention_heads=2, decoder_num_attention_heads=2,
        max_position_embeddings=64, initializer_range=0.5, bos_token_id=2, eos_token_id=3, decoder_start_token_id=2,
        pad_token_id=0,
    )  # fmt: skip
    MoonshineForConditionalGeneration(config).save_pretrained(folder)
    listening = Wav2Vec2FeatureExtractor(do_normalize=False, return_attention_mask=True)
    Wav2Vec2Processor(listening, AutoTokenizer.from_pretrained(folder)).save_pretrained(folder)
    return folder


def parakeet(folder: Path) -> Path:
    import torch
    from transformers import (
        AutoTokenizer,
        ParakeetFeatureExtractor,
        ParakeetForTDT,
        ParakeetProcessor,
        ParakeetTDTConfig,
    )

    torch.manual_seed(0)
    blank = word_tokenizer(folder, "<blank>") - 1
    encoder = {
        "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16,
        "subsampling_conv_channels": 4, "num_mel_bins": 80, "dropout": 0.0,
    }  # fmt: skip
    config = ParakeetTDTConfig(
        vocab_size=blank + 1, decoder_hidden_size=16, num_decoder_layers=1, blank_token_id=blank, pad_token_id=0,
        decoder_start_token_id=blank, bos_token_id=blank, durations=[0, 1, 2], encoder_config=encoder,
        initializer_range=0.5,
    )  # fmt: skip
    ParakeetForTDT(config).save_pretrained(folder)
    ParakeetProcessor(ParakeetFeatureExtractor(feature_size=80), AutoTokenizer.from_pretrained(folder)).save_pretrained(
        folder
    )
    return folder


def faster_whisper(folder: Path) -> Path:
    """The tiny Whisper converted as those of the catalogue were."""
    from ctranslate2.converters import TransformersConverter
    from tokenizers import Tokenizer

    from tests.nodes.models.tiny.builders import whisper

    made = whisper(folder.with_name("whisper-to-convert"))
    TransformersConverter(str(made)).convert(str(folder), quantization="float16", force=True)
    Tokenizer.from_file(str(made / "tokenizer.json")).save(str(folder / "tokenizer.json"))
    return folder


def canary(folder: Path) -> Path:
    import torch
    from transformers import (
        AutoTokenizer,
        CanaryConfig,
        CanaryForConditionalGeneration,
        CanaryProcessor,
        ParakeetFeatureExtractor,
    )

    torch.manual_seed(0)
    size = word_tokenizer(folder, "<|start|>", "<|en|>", "<|de|>", "<|pnc|>")
    small = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    ends = {"pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3}
    config = CanaryConfig(
        encoder_config={"subsampling_conv_channels": 4, "num_mel_bins": 80, "dropout": 0.0, "layerdrop": 0.0, **small},
        decoder_config={"vocab_size": size, "head_dim": 8, "num_key_value_heads": 2, **small, **ends},
        vocab_size=size, decoder_start_token_id=5, initializer_range=0.5, **ends,
    )  # fmt: skip
    CanaryForConditionalGeneration(config).save_pretrained(folder)
    template = (
        "{% for c in messages[0]['content'] if c['type'] == 'text' %}<|start|><|{{ c['source_language'] }}|>"
        "<|{{ c['target_language'] }}|><|pnc|>{% endfor %}"
    )
    ear = ParakeetFeatureExtractor(feature_size=80)
    CanaryProcessor(ear, AutoTokenizer.from_pretrained(folder), chat_template=template).save_pretrained(folder)
    return folder


def qwen_asr(folder: Path) -> Path:
    import torch
    from transformers import (
        Qwen3ASRConfig,
        Qwen3ASRFeatureExtractor,
        Qwen3ASRForConditionalGeneration,
        Qwen3ASRProcessor,
    )

    torch.manual_seed(0)
    marks = {"audio_token": "<|audio_pad|>", "audio_bos_token": "<|audio_start|>", "audio_eos_token": "<|audio_end|>"}
    words = byte_tokenizer(*marks.values(), "<asr_text>")
    words._set_model_specific_special_tokens(marks)
    audio = {
        "num_mel_bins": 80, "encoder_layers": 1, "encoder_attention_heads": 2, "encoder_ffn_dim": 16, "d_model": 16,
        "output_dim": 16, "downsample_hidden_size": 4,
    }  # fmt: skip
    text = {
        "vocab_size": len(words), "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1,
        "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 8, "initializer_range": 0.5,
        "max_position_embeddings": 2048, "pad_token_id": 256, "eos_token_id": 256, "bos_token_id": None,
    }  # fmt: skip
    config = Qwen3ASRConfig(
        audio_config=audio, text_config=text, audio_token_id=words.convert_tokens_to_ids("<|audio_pad|>"),
        pad_token_id=256, eos_token_id=256, initializer_range=0.5,
    )  # fmt: skip
    Qwen3ASRForConditionalGeneration(config).save_pretrained(folder)
    template = (
        "{% for m in messages %}{% for c in m['content'] %}{% if c['type'] == 'audio' %}<|audio_start|><|audio_pad|>"
        "<|audio_end|>{% else %}{{ c['text'] }}{% endif %}{% endfor %}{% endfor %}"
    )
    ear = Qwen3ASRFeatureExtractor(feature_size=80)
    Qwen3ASRProcessor(ear, words, chat_template=template).save_pretrained(folder)
    return folder


def speecht5(folder: Path) -> Path:
    """With its vocoder and its alphabet beside it, which are models of the catalogue by themselves."""
    import torch
    from transformers import SpeechT5Config, SpeechT5ForTextToSpeech

    torch.manual_seed(0)
    small = {"layers": 1, "attention_heads": 2, "ffn_dim": 16, "layerdrop": 0.0}
    config = SpeechT5Config(
        vocab_size=len(_LETTERS), hidden_size=16, num_mel_bins=8, reduction_factor=2, speech_decoder_prenet_units=16,
        speech_decoder_postnet_units=8, speech_decoder_postnet_layers=1, speaker_embedding_dim=12, conv_dim=(16,),
        conv_stride=(5,), conv_kernel=(10,), initializer_range=0.5, num_conv_pos_embedding_groups=2,
        num_conv_pos_embeddings=4, **{f"{part}_{name}": value for part in ("encoder", "decoder")
                                      for name, value in small.items()},
    )  # fmt: skip
    network = SpeechT5ForTextToSpeech(config)
    network.speech_decoder_postnet.prob_out.bias.data.fill_(-9.0)  # else it says one sound
    network.save_pretrained(folder)
    return folder


def speecht5_vocoder(folder: Path) -> Path:
    import torch
    from transformers import SpeechT5HifiGan, SpeechT5HifiGanConfig

    torch.manual_seed(0)
    config = SpeechT5HifiGanConfig(
        model_in_dim=8, upsample_initial_channel=8, upsample_rates=[4, 4], upsample_kernel_sizes=[8, 8],
        resblock_kernel_sizes=[3], resblock_dilation_sizes=[[1, 3]], initializer_range=0.3,
    )  # fmt: skip
    SpeechT5HifiGan(config).save_pretrained(folder)
    return folder


def speecht5_letters(folder: Path) -> Path:
    """Letter by letter, blanks as signs of their own, as the real one reads."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers

    inner = Tokenizer(models.WordLevel({letter: i for i, letter in enumerate(_LETTERS)}, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Metaspace(prepend_scheme="always"), pre_tokenizers.Split(Regex("."), "isolated")]
    )
    folder.mkdir(parents=True)
    inner.save(str(folder / "tokenizer.json"))
    return folder
