"""What a back end gives is what the library's own plain call gives: same weights, picture and seed.

Only what a tool adds by its own (paste back, feather, uint8) is on top, and is named where it is allowed for.
"""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from PIL import Image

from nodes._support.inference import detection, pose, repainting
from nodes._support.inference.control import scale_of
from nodes.api import Box, NodeError, Point, Table
from nodes.image.ask_image import ask_image
from nodes.image.classify_image import classify_image
from nodes.image.colourise import colourise
from nodes.image.depth_map import depth_map
from nodes.image.describe_image import describe_image
from nodes.image.detect_objects import detect_objects
from nodes.image.extend_canvas import extend_canvas
from nodes.image.find_described import find_described
from nodes.image.image_to_image import image_to_image
from nodes.image.inpaint import inpaint
from nodes.image.match_labels import match_labels
from nodes.image.normal_map import normal_map
from nodes.image.normal_to_image import normal_to_image
from nodes.image.pose_to_image import pose_to_image
from nodes.image.remove_object import WISH, remove_object
from nodes.image.segment_named import segment_named
from nodes.image.segmentation_to_image import coloured, segmentation_to_image
from nodes.image.soft_edge_to_image import soft_edge_to_image
from nodes.image.upscale import upscale
from nodes.mask.segment_box import segment_box
from nodes.mask.segment_described import probability
from nodes.mask.segment_mask import segment_mask
from nodes.mask.segment_points import segment_points
from tests.nodes.models.nearness import close
from tests.nodes.models.test_looking import shown_by

LOCAL = {"local_files_only": True}
BARE = {"safety_checker": None, "feature_extractor": None, "requires_safety_checker": False}


def pipeline(task: str, folder, **more):
    import transformers

    return transformers.pipeline(task, model=str(folder), device="cpu", **more)


def parts(folder, network: str, processor: str = "AutoProcessor"):
    import transformers

    return (
        getattr(transformers, network).from_pretrained(folder, **LOCAL).eval(),
        getattr(transformers, processor).from_pretrained(folder, **LOCAL),
    )


def test_depth(context_for, model_of, picture):
    plain = pipeline("depth-estimation", model_of("depth-anything-v2-small"))(Image.fromarray(picture))
    assert close(depth_map(picture, context=context_for("depth-anything-v2-small")), np.asarray(plain["depth"]))


def test_classes(context_for, model_of, picture):
    plain = pipeline("image-classification", model_of("vit-base"))(Image.fromarray(picture))
    found = classify_image(picture, context=context_for("vit-base"))
    assert [label.name for label in found] == [each["label"] for each in plain]
    assert [label.score for label in found] == pytest.approx([each["score"] for each in plain], abs=1e-6)


def test_given_labels(context_for, model_of, picture):
    names = ["cat", "dog", "red car"]
    plain = pipeline("zero-shot-image-classification", model_of("clip-vit-b-32"))(
        Image.fromarray(picture), candidate_labels=names
    )
    found = match_labels(picture, "a cat, a dog and the red car", context=context_for("clip-vit-b-32"))
    assert [label.name for label in found] == [each["label"] for each in plain]
    assert [label.score for label in found] == pytest.approx([each["score"] for each in plain], abs=1e-6)


LONG = "a cat that lies asleep on the red cup of the car " * 12


def test_words_longer_than_a_model_reads_are_read_as_far_as_it_does(context_for, picture):
    (label,) = match_labels(picture, LONG, context=context_for("clip-vit-b-32"))
    assert label.score == pytest.approx(1)
    fit = probability(picture, (LONG,), context_for("clipseg-rd64"))
    assert fit.shape == picture.shape[:2]
    for id in ("owlv2-base", "grounding-dino-tiny"):
        assert isinstance(find_described(picture, LONG, 0.0, context=context_for(id)), tuple | list)


def test_objects(context_for, model_of, picture):
    plain = pipeline("object-detection", model_of("rt-detr-r50"))(Image.fromarray(picture), threshold=0.0)
    found = detect_objects(picture, 0.0, context=context_for("rt-detr-r50"))
    inside = {round(box.score, 5) for box in found}
    assert found and inside <= {round(each["score"], 5) for each in plain}
    best = max(plain, key=lambda each: each["score"])
    if round(best["score"], 5) in inside:
        (same,) = [box for box in found if box.score == found[0].score][:1]
        assert same.label == best["label"]


def test_objects_by_d_fine(context_for, model_of, picture):
    plain = pipeline("object-detection", model_of("d-fine-small"))(Image.fromarray(picture), threshold=0.0)
    found = detect_objects(picture, 0.0, context=context_for("d-fine-small"))
    assert found and {round(b.score, 5) for b in found} <= {round(each["score"], 5) for each in plain}


def test_objects_by_rf_detr(context_for, model_of, picture):
    """The library prepares pictures for it with torchvision alone: what that does is written out here."""
    import torch
    from transformers.image_transforms import center_to_corners_format

    network, _ = parts(model_of("rf-detr-base"), "RfDetrForObjectDetection", "AutoConfig")
    pixels = torch.from_numpy(picture).permute(2, 0, 1)[None] / 255
    pixels = torch.nn.functional.interpolate(pixels, (64, 64), mode="bilinear")
    mean, spread = (torch.tensor(values).view(1, 3, 1, 1) for values in ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)))
    outputs = network(pixel_values=(pixels - mean) / spread)
    scores, places = outputs.logits.sigmoid().view(1, -1).topk(8, dim=1)
    corners = center_to_corners_format(outputs.pred_boxes)[0][places[0] // 5] * torch.tensor([90, 60, 90, 60])
    labels = [network.config.id2label[int(place) % 5] for place in places[0]]
    found = detect_objects(picture, 0.0, context=context_for("rf-detr-base"))
    same = detection.inside(corners.detach(), labels, scores[0].detach(), picture)
    assert found and np.allclose(boxes_of(found), boxes_of(same), atol=1e-3)
    assert sorted(box.label for box in found) == sorted(box.label for box in same)


def test_captions(context_for, model_of, picture):
    network, processor = parts(model_of("blip-large"), "BlipForConditionalGeneration")
    inputs = processor(images=Image.fromarray(picture), return_tensors="pt")
    tokens = network.generate(**inputs, max_new_tokens=60, do_sample=False)
    plain = processor.decode(tokens[0], skip_special_tokens=True).strip()
    assert plain and describe_image(picture, context=context_for("blip-large")) == plain


def test_answers_of_blip(context_for, model_of, picture):
    network, processor = parts(model_of("blip-vqa-base"), "BlipForQuestionAnswering")
    inputs = processor(Image.fromarray(picture), "what is the cup on?", return_tensors="pt")
    plain = processor.decode(network.generate(**inputs, max_new_tokens=60)[0], skip_special_tokens=True).strip()
    assert plain and ask_image(picture, "what is the cup on?", context=context_for("blip-vqa-base")) == plain


def test_answers_of_vilt(context_for, model_of, picture):
    network, processor = parts(model_of("vilt-b32-vqa"), "ViltForQuestionAnswering")
    inputs = processor(Image.fromarray(picture), "what is the cup on?", return_tensors="pt")
    plain = network.config.id2label[int(network(**inputs).logits.argmax())]
    assert ask_image(picture, "what is the cup on?", context=context_for("vilt-b32-vqa")) == plain


def test_answers_of_a_chat_model_that_sees(context_for, model_of, picture):
    network, processor = parts(model_of("llava-interleave-0-5b"), "LlavaForConditionalGeneration")
    said = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "what is it?"}]}]
    prompt = processor.apply_chat_template(said, add_generation_prompt=True)
    inputs = processor(images=Image.fromarray(picture), text=prompt, return_tensors="pt")
    tokens = network.generate(**inputs, max_new_tokens=256, do_sample=False)[:, inputs["input_ids"].shape[1] :]
    plain = processor.batch_decode(tokens, skip_special_tokens=True)[0].strip()
    assert plain and ask_image(picture, "what is it?", context=context_for("llava-interleave-0-5b")) == plain


def boxes_of(found: list[Box] | tuple[Box, ...]) -> np.ndarray:
    return np.array([[box.x0, box.y0, box.x1, box.y1, box.score] for box in sorted(found)])


def test_descriptions_by_owl(context_for, model_of):
    picture = np.random.default_rng(0).integers(0, 255, (60, 90, 3), np.uint8)
    network, processor = parts(model_of("owlv2-base"), "Owlv2ForObjectDetection")
    inputs = processor(text=[["cat", "red cup"]], images=Image.fromarray(picture), return_tensors="pt")
    plain = processor.post_process_grounded_object_detection(
        network(**inputs), threshold=0.0, target_sizes=[picture.shape[:2]], text_labels=[["cat", "red cup"]]
    )[0]
    found = find_described(picture, "a cat, a red cup", 0.0, context=context_for("owlv2-base"))
    same = detection.inside(plain["boxes"].detach(), plain["text_labels"], plain["scores"].detach(), picture)
    assert found and np.allclose(boxes_of(found), boxes_of(same), atol=1e-3)
    assert {box.label for box in found} <= {"cat", "red cup"}


@pytest.mark.parametrize(
    ("id", "kind"),
    [
        ("grounding-dino-tiny", "GroundingDinoForObjectDetection"),
        ("llmdet-tiny", "MMGroundingDinoForObjectDetection"),
    ],
)
def test_descriptions_by_grounding_dino(context_for, model_of, picture, id, kind):
    network, processor = parts(model_of(id), kind)
    inputs = processor(text="cat. red cup.", images=Image.fromarray(picture), return_tensors="pt")
    plain = processor.post_process_grounded_object_detection(
        network(**inputs), inputs["input_ids"], threshold=0.0, text_threshold=0.0, target_sizes=[picture.shape[:2]]
    )[0]
    found = find_described(picture, "a cat and the red cup", 0.0, context=context_for(id))
    same = detection.inside(plain["boxes"].detach(), plain["text_labels"], plain["scores"].detach(), picture)
    assert found and np.allclose(boxes_of(found), boxes_of(same), atol=1e-3)


def test_each_layer_of_mm_grounding_dino_keeps_its_own_head(model_of):
    """Transformers 5.0 to 5.14 gave all layers the first one's, so that the boxes were the same for any words."""
    import torch
    from safetensors.torch import load_file

    network, _ = parts(model_of("llmdet-tiny"), "MMGroundingDinoForObjectDetection")
    kept = load_file(model_of("llmdet-tiny") / "model.safetensors")
    names = [f"bbox_embed.{layer}.layers.2.weight" for layer in (0, 1)]
    assert not torch.equal(kept[names[0]], kept[names[1]])
    for head in (network, network.model.decoder):
        loaded = head.state_dict()
        assert all(torch.equal(loaded[name], kept[name]) for name in names)


def test_masks_of_words(context_for, model_of, picture):
    network, processor = parts(model_of("clipseg-rd64"), "CLIPSegForImageSegmentation", "CLIPSegProcessor")
    pictures = [Image.fromarray(picture)] * 2
    inputs = processor(text=["cat", "red cup"], images=pictures, padding=True, return_tensors="pt")
    plain = network(**inputs).logits.sigmoid().detach().numpy().max(0)
    found = probability(picture, ("cat", "red cup"), context_for("clipseg-rd64"))
    assert found.shape == picture.shape[:2] and np.ptp(plain) > 0.01
    assert found.min() >= plain.min() - 1e-5 and found.max() <= plain.max() + 1e-5


@pytest.mark.parametrize(
    ("id", "network", "how"),
    [
        ("segformer-b0-ade", "SegformerForSemanticSegmentation", "kinds"),
        ("mask2former-tiny-coco-panoptic", "Mask2FormerForUniversalSegmentation", "kinds"),
        ("mask2former-tiny-coco-panoptic", "Mask2FormerForUniversalSegmentation", "things"),
        ("eomt-large-coco-panoptic", "EomtForUniversalSegmentation", "kinds"),
        ("eomt-large-coco-panoptic", "EomtForUniversalSegmentation", "things"),
    ],
)
def test_named_regions(id, network, how, context_for, model_of, picture):
    made, processor = parts(model_of(id), network, "AutoImageProcessor")
    outputs = made(**processor(images=Image.fromarray(picture), return_tensors="pt"))
    if how == "things":
        plain = processor.post_process_panoptic_segmentation(outputs, target_sizes=[picture.shape[:2]])[0]
        labels = {part["id"]: made.config.id2label[part["label_id"]] for part in plain["segments_info"]}
        wanted = plain["segmentation"].numpy()
    else:
        wanted = processor.post_process_semantic_segmentation(outputs, target_sizes=[picture.shape[:2]])[0].numpy()
        labels = {number: made.config.id2label[number] for number in np.unique(wanted)}
    regions, table = segment_named(picture, how, context=context_for(id))
    names = {row[0]: row[1] for row in table.rows}
    found = np.vectorize(lambda number: names.get(number, ""))(regions)
    assert np.array_equal(found, np.vectorize(lambda number: labels.get(number, ""))(wanted))
    assert [row[2] for row in table.rows] == sorted((row[2] for row in table.rows), reverse=True)


@pytest.mark.parametrize("how", ["kinds", "things"])
def test_named_regions_of_oneformer(how, context_for, model_of, picture, monkeypatch):
    from types import SimpleNamespace

    import torch
    from transformers import OneFormerImageProcessorPil, OneFormerProcessor
    from transformers.models.oneformer import image_processing_pil_oneformer as library

    def resize(masks, size, interpolation):
        return torch.nn.functional.interpolate(masks, size, mode=interpolation)

    torchvision = SimpleNamespace(resize=resize, InterpolationMode=SimpleNamespace(BILINEAR="bilinear"))
    folder = model_of("oneformer-coco-large")
    made, words = parts(folder, "OneFormerForUniversalSegmentation", "AutoTokenizer")
    prepare = OneFormerImageProcessorPil.from_pretrained(folder, class_info_file=None)  # that is fetched from the hub
    processor = OneFormerProcessor(prepare, words)
    task = "semantic" if how == "kinds" else "panoptic"
    outputs = made(**processor(images=Image.fromarray(picture), task_inputs=[task], return_tensors="pt"))
    sizes = {"target_sizes": [picture.shape[:2]]}
    if how == "kinds":
        wanted = processor.post_process_semantic_segmentation(outputs, **sizes)[0].numpy()
        labels = {number: made.config.id2label[number] for number in np.unique(wanted)}
    else:
        with monkeypatch.context() as patch:  # the one thing that it asks of torchvision
            patch.setattr(library, "tvF", torchvision, raising=False)
            plain = processor.post_process_panoptic_segmentation(outputs, **sizes)[0]
        wanted = plain["segmentation"].numpy()
        labels = {part["id"]: made.config.id2label[part["label_id"]] for part in plain["segments_info"]}
    regions, table = segment_named(picture, how, context=context_for("oneformer-coco-large"))
    names = {row[0]: row[1] for row in table.rows}
    found = np.vectorize(lambda number: names.get(number, ""))(regions)
    assert np.array_equal(found, np.vectorize(lambda number: labels.get(number, ""))(wanted))


def test_poses(context_for, model_of, picture):
    import torch

    network, processor = parts(model_of("vitpose-base-simple"), "VitPoseForPoseEstimation", "AutoImageProcessor")
    boxes = [[[5.0, 5.0, 45.0, 45.0], [30.0, 10.0, 40.0, 50.0]]]
    with torch.inference_mode():
        outputs = network(**processor(Image.fromarray(picture), boxes=boxes, return_tensors="pt"))
    plain = processor.post_process_pose_estimation(outputs, boxes=boxes)[0]
    people = [Box(x, y, x + w, y + h, "person") for x, y, w, h in boxes[0]]
    found = pose.bodies(picture, people, context_for("vitpose-base-simple"))
    assert len(found) == 2
    for body, each in zip(found, plain, strict=True):
        assert np.allclose(body[:, :2], each["keypoints"], atol=1e-3)
        assert np.allclose(body[:, 2], each["scores"].reshape(-1), atol=1e-5)


def test_masks_of_clicks(context_for, model_of, picture):
    network, processor = parts(model_of("sam-vit-base"), "SamModel", "SamProcessor")
    clicks, labels = [[[[40, 30], [10, 50]]]], [[[1, 0]]]
    inputs = processor(Image.fromarray(picture), input_points=clicks, input_labels=labels, return_tensors="pt")
    outputs = network(
        pixel_values=inputs["pixel_values"], input_points=inputs["input_points"].float(),
        input_labels=inputs["input_labels"],
    )  # fmt: skip
    masks = processor.image_processor.post_process_masks(
        outputs.pred_masks, inputs["original_sizes"], inputs["reshaped_input_sizes"]
    )[0]
    best = masks[0, int(outputs.iou_scores[0, 0].argmax())].numpy()
    points = (Point(40, 30), Point(10, 50, False))
    found = segment_points(picture, points, "best", context=context_for("sam-vit-base"))
    assert best.any() and np.array_equal(found > 0, best)


def test_masks_of_boxes(context_for, model_of, picture):
    network, processor = parts(model_of("sam-vit-base"), "SamModel", "SamProcessor")
    inputs = processor(Image.fromarray(picture), input_boxes=[[[20, 10, 60, 50]]], return_tensors="pt")
    outputs = network(pixel_values=inputs["pixel_values"], input_boxes=inputs["input_boxes"].float())
    masks = processor.image_processor.post_process_masks(
        outputs.pred_masks, inputs["original_sizes"], inputs["reshaped_input_sizes"]
    )[0]
    best = masks[0, int(outputs.iou_scores[0, 0].argmax())].numpy()
    found = segment_box(picture, (Box(20, 10, 60, 50),), context=context_for("sam-vit-base"))
    assert np.array_equal(found > 0, best)


def test_masks_of_rough_masks(context_for, model_of):
    import torch

    picture = np.random.default_rng(3).integers(0, 255, (64, 64, 3), np.uint8)
    rough = np.zeros((64, 64), np.uint8)
    rough[16:48, 8:40] = 255  # whole cells of the 16 x 16 that the model is shown
    network, processor = parts(model_of("sam-vit-base"), "SamModel", "SamProcessor")
    inputs = processor(Image.fromarray(picture), input_boxes=[[[8, 16, 40, 48]]], return_tensors="pt")
    logits = torch.nn.functional.avg_pool2d(torch.from_numpy(rough / 255.0)[None, None].float(), 4) * 16 - 8
    outputs = network(
        pixel_values=inputs["pixel_values"], input_boxes=inputs["input_boxes"].float(), input_masks=logits
    )
    masks = processor.image_processor.post_process_masks(
        outputs.pred_masks, inputs["original_sizes"], inputs["reshaped_input_sizes"]
    )[0]
    best = masks[0, int(outputs.iou_scores[0, 0].argmax())].numpy()
    found = segment_mask(picture, rough, context=context_for("sam-vit-base"))
    assert np.array_equal(found > 0, best)
    by_box = segment_box(picture, (Box(8, 16, 40, 48),), context=context_for("sam-vit-base"))
    assert (found != by_box).any(), "the mask is shown beside its box"


def test_larger_pictures(context_for, model_of, picture):
    network, processor = parts(model_of("swin2sr-classical-x2"), "AutoModelForImageToImage", "AutoImageProcessor")
    made = network(**processor(Image.fromarray(picture), return_tensors="pt")).reconstruction[0].detach()
    plain = np.rint(made.clamp(0, 1).numpy().transpose(1, 2, 0) * 255).astype(np.uint8)[:120, :180]
    assert close(upscale(picture, 2, context=context_for("swin2sr-classical-x2")), plain)
    assert upscale(picture, 3, context=context_for("swin2sr-classical-x2")).shape == (180, 270, 3)


def plain_pipeline(name: str, folder, **more):
    import diffusers
    import torch

    made = getattr(diffusers, name).from_pretrained(folder, dtype=torch.float32, **LOCAL, **more)
    if isinstance(made.scheduler, diffusers.PNDMScheduler):
        made.scheduler = diffusers.DPMSolverMultistepScheduler.from_config(made.scheduler.config)
    made.set_progress_bar_config(disable=True)
    return made


def called(made, seed: int, **given) -> np.ndarray:
    import torch

    result = made(**given, generator=torch.Generator("cpu").manual_seed(seed), output_type="np").images[0]
    return np.rint(result * 255).astype(np.uint8)


def square() -> np.ndarray:
    return np.random.default_rng(1).integers(0, 255, (16, 16, 3), np.uint8)


def test_pictures_after_a_picture(context_for, model_of):
    made = plain_pipeline("StableDiffusionImg2ImgPipeline", model_of("sd-1-5"), variant="fp16", **BARE)
    plain = called(
        made,
        5,
        prompt="a cat",
        image=Image.fromarray(square()),
        strength=0.5,
        num_inference_steps=4,
        guidance_scale=7.0,
    )
    found = image_to_image(square(), "a cat", 0.5, seed=5, steps=4, context=context_for("sd-1-5"))
    assert np.abs(found.astype(int) - plain).max() <= 1


@pytest.mark.parametrize("id", ["sd-1-5", "sd-1-5-inpainting"])
def test_parts_painted_anew(id, context_for, model_of):
    variant = {"variant": "fp16", **BARE} if id == "sd-1-5" else {}
    made = plain_pipeline("StableDiffusionInpaintPipeline", model_of(id), **variant)
    mask = np.full((16, 16), 255, np.uint8)
    plain = called(
        made, 5, prompt="a cat", image=Image.fromarray(square()), mask_image=Image.fromarray(mask), width=16, height=16,
        num_inference_steps=4, guidance_scale=7.0,
    )  # fmt: skip
    found = inpaint(square(), mask, "a cat", seed=5, steps=4, context=context_for(id))
    assert np.abs(found.astype(int) - plain).max() <= 1


def test_objects_painted_away(context_for, model_of):
    mask = np.zeros((16, 16), np.uint8)
    mask[4:12, 4:12] = 255
    found = remove_object(square(), mask, 0.0, context_for("sd-1-5-inpainting"))
    same = repainting.part(square(), mask, WISH, context_for("sd-1-5-inpainting"))
    assert close(found, same) and (found[6:10, 6:10] != square()[6:10, 6:10]).any()
    assert not close(found, remove_object(square(), mask, 0.0))


def test_colours_are_the_models_and_light_and_dark_the_pictures(context_for):
    import cv2

    grey = np.repeat(square()[:, :, :1] // 2 + 60, 3, axis=2)
    context = context_for("instruct-pix2pix")
    found = colourise(grey, "a red door", 5, 3, context=context)
    wish = repainting.Wish(
        "Colourise this black and white photograph with natural colours. a red door", seed=5, steps=3
    )
    painted = repainting.anew(grey, wish, context, "")
    assert found.shape == grey.shape and np.ptp(found, axis=2).max() > 0
    own, made, wanted = (cv2.cvtColor(one, cv2.COLOR_RGB2LAB).astype(int) for one in (grey, found, painted))
    assert np.abs(made[:, :, 0] - own[:, :, 0]).mean() < 4, "but for colours that no screen has"
    assert (
        np.corrcoef(made[:, :, 1].ravel(), cv2.GaussianBlur(wanted.astype(np.float32), (0, 0), 1)[:, :, 1].ravel())[
            0, 1
        ]
        > 0.5
    )


def test_edits_by_an_instruction(context_for, model_of):
    made = plain_pipeline("StableDiffusionInstructPix2PixPipeline", model_of("instruct-pix2pix"))
    plain = called(
        made, 5, prompt="make it snow", image=Image.fromarray(square()), num_inference_steps=4, guidance_scale=7.0
    )
    wish = repainting.Wish("make it snow", seed=5, steps=4)
    found = repainting.anew(square(), wish, context_for("instruct-pix2pix"), "")
    assert np.abs(found.astype(int) - plain).max() <= 1


def test_normals_at_once(context_for, model_of, picture):
    import torch

    made = plain_pipeline("MarigoldNormalsPipeline", model_of("marigold-normals-1-1"))
    generator = torch.Generator("cpu").manual_seed(3)
    plain = made(Image.fromarray(picture), generator=generator, output_type="np").prediction[0]
    found = normal_map(picture, 3, context=context_for("marigold-normals-1-1"))
    assert np.abs(found.astype(float) - (plain + 1) * 127.5).max() <= 1


def test_depth_at_once(context_for, model_of, picture):
    import torch

    made = plain_pipeline("MarigoldDepthPipeline", model_of("marigold-depth-1-1"))
    generator = torch.Generator("cpu").manual_seed(0)
    plain = 1 - made(Image.fromarray(picture), generator=generator, output_type="np").prediction[0][:, :, 0]
    found = depth_map(picture, context=context_for("marigold-depth-1-1"))
    assert np.abs(found - (plain - plain.min()) / np.ptp(plain) * 255).max() <= 1 and found.max() == 255


def test_pictures_after_a_map(context_for, model_of):
    edges = np.random.default_rng(2).integers(0, 255, (32, 32), np.uint8)
    folder = model_of("controlnet-softedge")
    import diffusers
    import torch

    control = diffusers.ControlNetModel.from_pretrained(folder, variant="fp16", dtype=torch.float32)
    made = plain_pipeline(
        "StableDiffusionControlNetPipeline", model_of("sd-1-5"), variant="fp16", **BARE, controlnet=control
    )
    shown = Image.fromarray(np.repeat(edges[:, :, None], 3, 2))
    plain = called(made, 5, prompt="a cat", image=shown, width=32, height=32, num_inference_steps=3, guidance_scale=7.0)
    found = soft_edge_to_image(edges, "a cat", seed=5, steps=3, context=context_for("controlnet-softedge"))
    assert np.abs(found.astype(int) - plain).max() <= 1


@pytest.mark.parametrize(("run", "mode"), [(pose_to_image, 0), (soft_edge_to_image, 2), (normal_to_image, 4)])
def test_one_controlnet_for_many_kinds_of_maps(run, mode, context_for, model_of):
    import diffusers
    import torch

    map = np.random.default_rng(2).integers(0, 255, (32, 32, 3), np.uint8)
    id = "controlnet-union-sdxl"
    given = map[:, :, 0] if run is soft_edge_to_image else map
    control = diffusers.ControlNetUnionModel.from_pretrained(model_of(id), dtype=torch.float32)
    made = plain_pipeline(
        "StableDiffusionXLControlNetUnionPipeline", model_of("sdxl-base-1"), variant="fp16", controlnet=control
    )
    map = shown_by(run)(given).reshape(32, 32, -1)
    shown = Image.fromarray(np.ascontiguousarray(np.broadcast_to(map, (32, 32, 3))))
    words = {"prompt": "a cat", "width": 32, "height": 32, "num_inference_steps": 3, "guidance_scale": 7.0}
    plain = called(made, 5, **words, control_image=[shown], control_mode=[mode])
    found = run(given, "a cat", seed=5, steps=3, context=context_for(id))
    assert np.abs(found.astype(int) - plain).max() <= 1
    assert not close(found, called(made, 5, **words, control_image=[shown], control_mode=[mode + 1]))


def test_pictures_after_a_map_by_a_model_that_flows(context_for, model_of):
    import diffusers
    import torch

    edges = np.random.default_rng(2).integers(0, 255, (32, 64), np.uint8)
    id = "controlnet-union-qwen"
    control = diffusers.QwenImageControlNetModel.from_pretrained(model_of(id), dtype=torch.float32)
    made = plain_pipeline("QwenImageControlNetPipeline", model_of("qwen-image"), controlnet=control)
    plain = called(
        made, 5, prompt="a cat", negative_prompt=" ", control_image=Image.fromarray(np.repeat(edges[:, :, None], 3, 2)),
        width=64, height=32, num_inference_steps=3, true_cfg_scale=4.0,
    )  # fmt: skip
    context = context_for(id)
    found = soft_edge_to_image(edges, "a cat", seed=5, steps=3, context=context)
    assert np.abs(found.astype(int) - plain).max() <= 1 and len(context.previews) == 3
    assert not close(found, soft_edge_to_image(edges[::-1].copy(), "a cat", seed=5, steps=3, context=context))
    with pytest.raises(NodeError, match="same everywhere"):
        soft_edge_to_image(np.zeros_like(edges), "a cat", context=context)


def test_large_models_paint_at_the_size_that_they_were_made_for():
    assert scale_of(1536, None, 512) == 0.5 and scale_of(400, None, 512) == 1
    assert scale_of(512, None, 1024) == 2 and scale_of(4096, None, 1024) == 0.25
    assert scale_of(512, 256, 1024) == 0.5 and scale_of(512, 768, 1024) == 1


def test_a_controlnet_of_an_unknown_kind_is_refused(context_for, model_of, tmp_path):
    (tmp_path / "sd-1-5").symlink_to(model_of("sd-1-5"))
    shutil.copytree(model_of("controlnet-softedge"), tmp_path / "strange")
    settings = tmp_path / "strange" / "config.json"
    settings.write_text(settings.read_text().replace("ControlNetModel", "OtherModel"))
    context = context_for("controlnet-softedge")
    context.model = tmp_path / "strange"
    with pytest.raises(NodeError, match="not known: OtherModel"):
        soft_edge_to_image(np.eye(16, dtype=np.uint8), "a cat", context=context)


def test_pictures_after_named_regions(context_for, model_of):
    import diffusers
    import torch

    regions = np.repeat(np.array([1, 2, 3, 4], np.uint16), 8)[None].repeat(32, 0)
    names = Table(("region", "name", "share", "score"), ((1, "sky", 25, 1), (2, "Building", 25, 1), (3, "yeti", 25, 1)))
    shown = coloured(regions, names)
    assert shown[0, 0].tolist() == [6, 230, 230] and shown[0, 8].tolist() == [180, 120, 120]  # as in ADE20K
    assert len(np.unique(shown.reshape(-1, 3), axis=0)) == 4
    folder = model_of("controlnet-seg")
    control = diffusers.ControlNetModel.from_pretrained(folder, variant="fp16", dtype=torch.float32)
    made = plain_pipeline(
        "StableDiffusionControlNetPipeline", model_of("sd-1-5"), variant="fp16", **BARE, controlnet=control
    )
    plain = called(
        made, 5, prompt="a cat", image=Image.fromarray(shown), width=32, height=32, num_inference_steps=3,
        guidance_scale=7.0,
    )  # fmt: skip
    context = context_for("controlnet-seg")
    found = segmentation_to_image(regions, "a cat", names, seed=5, steps=3, context=context)
    assert np.abs(found.astype(int) - plain).max() <= 1
    assert close(found, segmentation_to_image(shown, "a cat", seed=5, steps=3, context=context))
    with pytest.raises(NodeError, match="same everywhere"):
        segmentation_to_image(np.zeros((32, 32), np.uint16), "a cat", context=context)


@pytest.mark.parametrize("id", ["sd-1-5", "sd-1-5-inpainting"])
def test_pictures_painted_on_beyond_their_edges(id, context_for, model_of):
    image, room = square()[:, :8], {"left": 3, "right": 5, "top": 0, "bottom": 0}
    found = extend_canvas(image, **room, prompt="a cat", seed=5, steps=4, context=context_for(id))
    variant = {"variant": "fp16", **BARE} if id == "sd-1-5" else {}
    made = plain_pipeline("StableDiffusionInpaintPipeline", model_of(id), **variant)
    mask = np.full((16, 16), 255, np.uint8)
    mask[:, 3:11] = 0
    plain = called(
        made, 5, prompt="a cat", image=Image.fromarray(extend_canvas(image, **room)), mask_image=Image.fromarray(mask),
        width=16, height=16, num_inference_steps=4, guidance_scale=7.0,
    )  # fmt: skip
    assert found.shape == (16, 16, 3) and np.array_equal(found[:, 3:11], image)
    assert np.abs(found[mask > 0].astype(int) - plain[mask > 0]).max() <= 1
    mirrored = extend_canvas(image, **room, fill="reflect", context=context_for(id))
    assert np.array_equal(mirrored, extend_canvas(image, **room, fill="reflect"))


def test_a_part_is_painted_at_the_models_size_and_put_back(context_for):
    image = np.random.default_rng(4).integers(0, 255, (120, 200, 4), np.uint8)
    mask = np.zeros((120, 200), np.uint8)
    mask[40:70, 150:180] = 255
    found = inpaint(image, mask, "a cat", steps=2, context=context_for("sd-1-5"))
    assert found.shape == image.shape and np.array_equal(found[:, :, 3], image[:, :, 3])
    assert np.array_equal(found[:, :100], image[:, :100]) and (found[45:65, 155:175] != image[45:65, 155:175]).any()
