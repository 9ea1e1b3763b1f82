"""Whisper and a chat model say what the library's own plain call says: same weights, same sound or words."""

from __future__ import annotations

import pytest

from nodes._support.inference.hearing import RATE
from nodes.audio.speech_to_text import speech_to_text
from nodes.text.chat import chat
from tests.nodes.models.test_language import tone


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_speech_is_written_down_as_by_the_library(context_for, model_of):
    import torch
    from transformers import WhisperForConditionalGeneration, WhisperProcessor

    folder, sound = model_of("whisper-base"), tone(2)
    network = WhisperForConditionalGeneration.from_pretrained(folder, local_files_only=True).eval()
    processor = WhisperProcessor.from_pretrained(folder, local_files_only=True)
    heard = processor(sound.samples[:, 0], sampling_rate=RATE, return_tensors="pt", return_attention_mask=True)
    with torch.inference_mode():
        tokens = network.generate(**heard, language="en", task="transcribe", do_sample=False, num_beams=1)
    plain = processor.batch_decode(tokens, skip_special_tokens=True)[0].strip()
    found = speech_to_text(sound, "english", context=context_for("whisper-base"))
    assert plain and found and (found.startswith(plain) or plain.startswith(found)), "as far as both go"


@pytest.mark.parametrize("system", ["", "Be brief."])
def test_an_answer_is_that_of_the_library(system, context_for, model_of):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = model_of("qwen2-5-0-5b")
    network = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    said = [*([{"role": "system", "content": system}] if system else ()), {"role": "user", "content": "Hello"}]
    asked = tokenizer.apply_chat_template(said, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    with torch.inference_mode():
        tokens = network.generate(**asked, max_new_tokens=24, do_sample=False)
    plain = tokenizer.decode(tokens[0, asked["input_ids"].shape[1] :], skip_special_tokens=True)
    found = chat("Hello", system, max_tokens=24, context=context_for("qwen2-5-0-5b"))
    assert found == plain.strip()
