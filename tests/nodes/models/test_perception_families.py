"""The families of today that look at pictures give what the library gives with the same weights and the same input.

SAM 2 and Qwen-VL are prepared for by this program, where the library asks for torchvision: their networks are compared,
and of Qwen-VL the library's own processor, without its part for films.
"""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from nodes._support.inference import sam
from nodes._support.models import models
from nodes._support.vision import ocr
from nodes.api import Box, NodeError, Point
from nodes.image.ask_document import ask_document
from nodes.image.ask_image import ask_image
from nodes.image.ask_region import ask_region
from nodes.image.describe_image import describe_image
from nodes.image.find_similar import find_similar
from nodes.image.read_text import read_text, upright
from nodes.mask.segment_box import segment_box
from nodes.mask.segment_mask import segment_mask
from nodes.mask.segment_points import segment_points
from tests.nodes.models.test_plain_calls import parts


def test_sam_2_gives_the_mask_that_its_network_is_surest_of(context_for, model_of, picture):
    import torch
    from transformers import Sam2Model

    network = Sam2Model.from_pretrained(model_of("sam2-1-tiny")).eval()
    pixels, scale = sam.squared(picture, 64), np.array([64 / 90, 64 / 60])

    def masks(**prompts):
        with torch.inference_mode():
            told = network(pixel_values=pixels, **prompts)
        full = torch.nn.functional.interpolate(told.pred_masks[0], (60, 90), mode="bilinear", align_corners=False)
        return (full > 0).numpy(), told.iou_scores[0].numpy()

    where = torch.tensor([[[[40.0, 30.0], [80.0, 5.0]]]]) * torch.tensor(scale, dtype=torch.float32)
    made, sure = masks(input_points=where, input_labels=torch.tensor([[[1, 0]]]))
    found = segment_points(picture, (Point(40, 30), Point(80, 5, False)), context=context_for("sam2-1-tiny"))
    assert np.array_equal(found > 0, made[0, sure[0].argmax()]) and 0 < (found > 0).mean() < 1
    sizes = [
        (segment_points(picture, (Point(40, 30),), name, context=context_for("sam2-1-tiny")) > 0).sum()
        for name in ("small", "medium", "large")
    ]
    assert sizes == sorted(sizes)
    corners = torch.tensor([[[20.0, 10.0, 60.0, 50.0]]]) * torch.tensor([*scale, *scale], dtype=torch.float32)
    made, sure = masks(input_boxes=corners)
    by_box = segment_box(picture, (Box(20, 10, 60, 50),), context=context_for("sam2-1-tiny"))
    assert np.array_equal(by_box > 0, made[0, sure[0].argmax()])
    rough = np.zeros((60, 90), np.uint8)
    rough[10:50, 20:60] = 255
    by_mask = segment_mask(picture, rough, context=context_for("sam2-1-tiny"))
    assert by_mask.shape == (60, 90) and (by_mask != by_box).any(), "the mask is shown beside its box"


def test_a_picture_is_stretched_as_sam_2_learned_it():
    image = np.random.default_rng(0).integers(0, 255, (40, 100, 3), np.uint8)
    found = sam.squared(image, 64)[0].numpy().transpose(1, 2, 0) * (0.229, 0.224, 0.225) + (0.485, 0.456, 0.406)
    wanted = np.asarray(Image.fromarray(image).resize((64, 64), Image.Resampling.BILINEAR))
    assert np.abs(found * 255 - wanted).max() <= 1.01


def test_a_click_in_sam_2_looks_at_the_picture_once(context_for, picture):
    first, second = context_for("sam2-1-tiny"), context_for("sam2-1-tiny")
    segment_points(picture, (Point(40, 30),), context=first)
    segment_points(picture, (Point(10, 30),), context=second)
    assert "looking at the picture" in first.notes and "looking at the picture" not in second.notes


def test_answers_of_smolvlm(context_for, model_of, picture):
    network, processor = parts(model_of("smolvlm-256m"), "Idefics3ForConditionalGeneration")
    said = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "what is it?"}]}]
    prompt = processor.apply_chat_template(said, add_generation_prompt=True)
    inputs = processor(images=Image.fromarray(picture), text=prompt, return_tensors="pt")
    tokens = network.generate(**inputs, max_new_tokens=256, do_sample=False)[:, inputs["input_ids"].shape[1] :]
    plain = processor.batch_decode(tokens, skip_special_tokens=True)[0].strip()
    assert plain and ask_image(picture, "what is it?", context=context_for("smolvlm-256m")) == plain
    assert ask_document(picture, "what is it?", context=context_for("smolvlm-256m")) == plain


def test_answers_of_qwen_vl(context_for, model_of, picture):
    from transformers import AutoImageProcessor, AutoTokenizer, Qwen3VLForConditionalGeneration, Qwen3VLProcessor

    folder = model_of("qwen3-vl-2b")
    network = Qwen3VLForConditionalGeneration.from_pretrained(folder).eval()
    processor = Qwen3VLProcessor.__new__(Qwen3VLProcessor)  # as it is but for films
    processor.image_processor = AutoImageProcessor.from_pretrained(folder)
    processor.tokenizer = AutoTokenizer.from_pretrained(folder)
    processor.image_token, processor.video_token = "<|image_pad|>", "<|video_pad|>"
    for name in ("image", "video"):
        token = processor.tokenizer.convert_tokens_to_ids(getattr(processor, f"{name}_token"))
        setattr(processor, f"{name}_token_id", token)
    processor.image_ids, processor.video_ids = [processor.image_token_id], [processor.video_token_id]
    processor.audio_ids = []
    said = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "what is it?"}]}]
    prompt = processor.tokenizer.apply_chat_template(said, add_generation_prompt=True, tokenize=False)
    inputs = processor(images=[Image.fromarray(picture)], text=[prompt], return_tensors="pt")
    ours = models.qwen_processor(folder)(
        text=prompt, images=picture, return_tensors="pt", input_data_format="channels_last"
    )
    assert set(ours) == set(inputs)
    for name, values in inputs.items():
        assert np.allclose(np.asarray(ours[name]), np.asarray(values), atol=1e-6), name
    tokens = network.generate(**inputs, max_new_tokens=256, do_sample=False)[:, inputs["input_ids"].shape[1] :]
    plain = processor.tokenizer.batch_decode(tokens, skip_special_tokens=True)[0].strip()
    assert plain and ask_image(picture, "what is it?", context=context_for("qwen3-vl-2b")) == plain


@pytest.mark.parametrize(("detailed", "task"), [(False, "<CAPTION>"), (True, "<MORE_DETAILED_CAPTION>")])
def test_captions_of_florence(detailed, task, context_for, model_of, picture):
    network, processor = parts(model_of("florence-2-base"), "Florence2ForConditionalGeneration")
    inputs = processor(text=task, images=Image.fromarray(picture), return_tensors="pt")
    tokens = network.generate(**inputs, max_new_tokens=256, num_beams=1, do_sample=False)
    plain = processor.batch_decode(tokens, skip_special_tokens=True)[0].strip()
    assert plain and describe_image(picture, detailed, context=context_for("florence-2-base")) == plain


def test_only_the_marked_part_is_asked_about(context_for, picture):
    mask = np.zeros((60, 90), np.uint8)
    mask[20:41, 30:51] = 255
    context = context_for("blip-vqa-base")
    found = ask_region(picture, mask, "what is it?", context=context)
    assert found == ask_image(np.ascontiguousarray(picture[16:45, 26:55]), "what is it?", context=context)
    for values, port in (((mask, " "), "question"), ((np.zeros_like(mask), "what?"), "mask")):
        with pytest.raises(NodeError) as caught:
            ask_region(picture, *values, context=context)
        assert caught.value.port == port


def page() -> np.ndarray:
    from PIL import ImageFont

    image = Image.new("RGB", (640, 200), "white")
    font = ImageFont.load_default(34)
    draw = ImageDraw.Draw(image)
    for row, line in enumerate(("Invoice from the garden shop", "The total amount is 94 euros.", "Paid on Monday.")):
        draw.text((20, 20 + 56 * row), line, "black", font)
    return np.asarray(image)


def test_a_document_answers_without_a_model():
    assert "94" in ask_document(page(), "What is the total amount?")
    for image, question, port in ((page(), "", "question"), (np.full((80, 80, 3), 255, np.uint8), "Total?", "image")):
        with pytest.raises(NodeError) as caught:
            ask_document(image, question)
        assert caught.value.port == port


def test_lines_that_are_found_are_read_by_trocr(context_for, model_of):
    network, processor = parts(model_of("trocr-base-printed"), "VisionEncoderDecoderModel", "TrOCRProcessor")
    image, plain = page(), []
    for piece in ocr.pieces(image):
        pixels = processor(images=Image.fromarray(upright(image, piece.corners)), return_tensors="pt").pixel_values
        tokens = network.generate(pixels, max_new_tokens=128, num_beams=1, do_sample=False)
        plain.append(processor.batch_decode(tokens, skip_special_tokens=True)[0].strip())
    text, boxes = read_text(image, context_for("trocr-base-printed"))
    assert sorted(box.label for box in boxes) == sorted(filter(None, plain)) and len(plain) >= 3
    assert text and all(0 <= box.score <= 1 for box in boxes)
    blank = np.full((80, 80, 3), 255, np.uint8)
    assert read_text(blank, context_for("trocr-base-printed")) == ("", ())


@pytest.mark.parametrize(("id", "network"), [("dinov2-small", "Dinov2Model"), ("clip-vit-b-32", "CLIPModel")])
def test_likeness_is_that_of_what_the_network_makes(id, network, context_for, model_of, picture):
    pictures = (picture, picture[:, ::-1].copy(), np.full((40, 40, 3), 200, np.uint8))
    made, processor = parts(model_of(id), network, "AutoImageProcessor")
    told = []
    for image in pictures:
        pixels = processor(images=Image.fromarray(image), return_tensors="pt").pixel_values
        seen = made.get_image_features(pixels) if network == "CLIPModel" else made(pixels)
        told.append(seen.pooler_output[0].detach().numpy())
    directions = [one / np.linalg.norm(one) for one in told]
    rows = {(row[0], row[1]): row[2] for row in find_similar(pictures, context_for(id)).rows}
    for (one, other), found in rows.items():
        assert found == pytest.approx(max(0, float(directions[one - 1] @ directions[other - 1])), abs=2e-3)
    assert len(rows) == 3
