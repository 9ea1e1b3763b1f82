"""Selecting with SAM (Kirillov et al. 2023) and SAM 2 (Ravi et al. 2024): a picture is looked at once, then each click
is quick.

The features of the last pictures are kept with the model, by content. The library prepares pictures for SAM 2 with
torchvision alone, which is not asked for here; what it does is done in `squared`.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from nodes._support.models import models
from nodes._support.models.model_pool import Entry, pool
from nodes.api import Point, RunContext

_PICTURES_KEPT = 4
_SURE = 8.0
"""How surely a rough mask is shown to the model, as the logit of its own masks."""
_MEAN, _SPREAD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


class Features(NamedTuple):
    """What the model saw: the embedding, and (height, width) of the picture and of what the model was shown."""

    embedding: Any
    size: tuple[int, int]
    shown: tuple[int, int]


def mask_from_points(
    rgb: np.ndarray, points: Sequence[Point], context: RunContext, reading: str = "best"
) -> np.ndarray:
    """Mask uint8 (height, width), 255 or 0, of what the model takes the points to mean.

    Of its three guesses that of which it is surest ("best"), or by their area "small", "medium" or "large".
    """

    def find(loaded: models.Loaded, features: Features, device: str) -> np.ndarray:
        return _mask(loaded, features, device, points, reading)

    return _with_features(rgb, context, find)


def mask_from_boxes(rgb: np.ndarray, boxes: Sequence[tuple[int, int, int, int]], context: RunContext) -> np.ndarray:
    """Mask uint8 (height, width), 255 or 0, of what fills the boxes (x0, y0, x1, y1), of each the surest guess."""

    def find(loaded: models.Loaded, features: Features, device: str) -> np.ndarray:
        return _mask_of_boxes(loaded, features, device, boxes)

    return _with_features(rgb, context, find)


def mask_from_mask(rgb: np.ndarray, rough: np.ndarray, context: RunContext) -> np.ndarray:
    """Mask uint8 (height, width), 255 or 0, of what a rough mask of that size covers: the surest guess."""

    def find(loaded: models.Loaded, features: Features, device: str) -> np.ndarray:
        return _mask_of_mask(loaded, features, device, rough)

    return _with_features(rgb, context, find)


@contextlib.contextmanager
def following(mask: np.ndarray, context: RunContext) -> Iterator[Callable[[np.ndarray], np.ndarray]]:
    """A block with what finds, in one picture of a film after the other, what `mask` covers in the first: a mask uint8
    (height, width), 255 or 0. SAM 2; what is older than it looks back is forgotten.
    """
    import torch

    folder = models.model_folder(context)

    def load(device: str) -> models.Loaded:
        from transformers import Sam2VideoModel

        with models.loading(folder):
            network: Any = Sam2VideoModel.from_pretrained(folder, local_files_only=True, use_safetensors=True)
        return models.Loaded(network.to(device).eval(), None)

    with pool().lease(folder, "sam of films", load, context) as entry:
        network = entry.model.network
        memory = _memory(network, entry.device, mask)

        def find(rgb: np.ndarray) -> np.ndarray:
            number = len(memory.processed_frames or ())
            pixels = squared(rgb, network.config.image_size)[0].to(entry.device)
            with models.running(context, network):
                found = network(inference_session=memory, frame=pixels, frame_idx=number).pred_masks
                whole = torch.nn.functional.interpolate(found.float(), rgb.shape[:2], mode="bilinear")
            _forget(memory, number, network.config)
            return (whole[0, 0] > 0).cpu().numpy().astype(np.uint8) * 255

        yield find


def _memory(network: Any, device: str, mask: np.ndarray) -> Any:
    """What the network remembers of a film, with the mask of its first picture."""
    import torch
    from transformers.models.sam2_video.modeling_sam2_video import Sam2VideoInferenceSession

    memory = Sam2VideoInferenceSession(
        video_height=mask.shape[0], video_width=mask.shape[1], inference_device=device, dtype=network.dtype
    )
    side = network.config.image_size
    shown = torch.from_numpy(mask > 127)[None, None].float()
    shown = torch.nn.functional.interpolate(shown, (side, side), mode="bilinear", antialias=True)
    memory.add_mask_inputs(memory.obj_id_to_idx(1), 0, (shown >= 0.5).float())
    memory.obj_with_new_inputs = [1]
    return memory


def _forget(memory: Any, number: int, config: Any) -> None:
    """Lets go of pictures that were looked at, and of what the network does not look back to: they fill the memory of
    the machine in a minute.
    """
    memory.processed_frames[number] = None
    back = max(config.num_maskmem, config.max_object_pointers_in_encoder)
    for outputs in memory.output_dict_per_obj.values():
        outputs["non_cond_frame_outputs"].pop(number - back, None)


def _with_features(
    rgb: np.ndarray, context: RunContext, find: Callable[[models.Loaded, Features, str], np.ndarray]
) -> np.ndarray:
    """What `find(loaded, features, device)` gives."""
    folder = models.model_folder(context)
    second = models.kind_of(folder).startswith("sam2")  # SAM 2 for pictures, and for films, of which a part is used

    def load(device: str) -> models.Loaded:
        from transformers import AutoImageProcessor, Sam2Model, SamModel

        kind = Sam2Model if second else SamModel
        with models.loading(folder):
            processor = None if second else AutoImageProcessor.from_pretrained(folder, **models.LOCAL)
            network: Any = kind.from_pretrained(folder, local_files_only=True, use_safetensors=True)
        # In 32 bits on every device: places of clicks in 16 bits are off by pixels.
        return models.Loaded(network.to(device).eval(), processor)

    with pool().lease(folder, "sam", load, context) as entry:

        def work(device: str) -> np.ndarray:
            with models.running(context, entry.model.network):
                return find(entry.model, _features(entry, device, rgb, context), device)

        return models.with_memory(entry, work, context)


def _features(entry: Entry, device: str, rgb: np.ndarray, context: RunContext) -> Features:
    key = hashlib.blake2b(np.ascontiguousarray(rgb).data, digest_size=16).hexdigest() + str(rgb.shape)
    kept = entry.kept.get(key)
    if kept is None:
        context.progress(0.2, "looking at the picture")
        pixels, shown = _prepared(entry.model, rgb)
        embedding = entry.model.network.get_image_embeddings(pixels.to(device))
        kept = Features(embedding, (rgb.shape[0], rgb.shape[1]), shown)
        entry.kept[key] = kept
        if len(entry.kept) > _PICTURES_KEPT:
            entry.kept.popitem(last=False)
    entry.kept.move_to_end(key)
    return kept


def _prepared(loaded: models.Loaded, rgb: np.ndarray) -> tuple[Any, tuple[int, int]]:
    """What the network is shown, and (height, width) of the picture in it."""
    if loaded.processor is None:
        side = loaded.network.config.prompt_encoder_config.image_size
        return squared(rgb, side), (side, side)
    prepared = loaded.processor(images=rgb, return_tensors="pt", input_data_format="channels_last")
    high, wide = prepared["reshaped_input_sizes"][0]
    return prepared["pixel_values"], (int(high), int(wide))


def squared(rgb: np.ndarray, side: int) -> Any:
    """The picture stretched to a square as SAM 2 learned it: float32 (1, 3, side, side)."""
    import torch

    pixels = torch.from_numpy(np.ascontiguousarray(rgb.transpose(2, 0, 1)))[None]
    small = torch.nn.functional.interpolate(pixels.float(), (side, side), mode="bilinear", antialias=True).round() / 255
    mean, spread = (torch.tensor(values)[None, :, None, None] for values in (_MEAN, _SPREAD))
    return (small.clamp(0, 1) - mean) / spread


def _full(loaded: models.Loaded, features: Features, masks: Any) -> Any:
    """The masks (n, m, rows, columns) of the network, as large as the picture, bool."""
    import torch

    if loaded.processor is None:
        return torch.nn.functional.interpolate(masks.float(), features.size, mode="bilinear", align_corners=False) > 0
    return loaded.processor.post_process_masks([masks], [features.size], [features.shown])[0]


def _mask(loaded: models.Loaded, features: Features, device: str, points: Sequence[Point], reading: str) -> np.ndarray:
    import torch

    scale = features.shown[1] / features.size[1], features.shown[0] / features.size[0]
    places = torch.tensor([[[[point.x * scale[0], point.y * scale[1]] for point in points]]], device=device)
    kinds = torch.tensor([[[int(point.include) for point in points]]], device=device)
    guesses = loaded.network(
        image_embeddings=features.embedding, input_points=places, input_labels=kinds, multimask_output=True
    )
    best = int(guesses.iou_scores[0, 0].argmax())
    chosen = slice(best, best + 1) if reading == "best" else slice(None)
    full = _full(loaded, features, guesses.pred_masks[0, :, chosen])[0]
    by_area = full.flatten(1).sum(1).argsort()
    mask = full[0] if reading == "best" else full[int(by_area[("small", "medium", "large").index(reading)])]
    return mask.cpu().numpy().astype(np.uint8) * 255


def _mask_of_mask(loaded: models.Loaded, features: Features, device: str, rough: np.ndarray) -> np.ndarray:
    import cv2
    import torch

    last = features.embedding[-1] if loaded.processor is None else features.embedding
    cells = 4 * last.shape[-1]
    scale = cells / loaded.network.config.prompt_encoder_config.image_size
    high, wide = (max(1, round(side * scale)) for side in features.shown)
    shown = np.full((cells, cells), -_SURE, np.float32)
    shown[:high, :wide] = (cv2.resize(rough, (wide, high), interpolation=cv2.INTER_AREA) / 127.5 - 1) * _SURE
    down, across = np.flatnonzero(rough.any(1)), np.flatnonzero(rough.any(0))
    box = (int(across[0]), int(down[0]), int(across[-1]) + 1, int(down[-1]) + 1)
    return _mask_of_boxes(loaded, features, device, [box], torch.from_numpy(shown)[None, None].to(device))


def _mask_of_boxes(
    loaded: models.Loaded,
    features: Features,
    device: str,
    boxes: Sequence[tuple[int, int, int, int]],
    rough: Any = None,
) -> np.ndarray:
    import torch

    scale = features.shown[1] / features.size[1], features.shown[0] / features.size[0]
    corners = torch.tensor([[[x0 * scale[0], y0 * scale[1], x1 * scale[0], y1 * scale[1]] for x0, y0, x1, y1 in boxes]])
    guesses = loaded.network(
        image_embeddings=features.embedding,
        input_boxes=corners.float().to(device),
        input_masks=rough,
        multimask_output=True,
    )
    best = guesses.iou_scores[0].argmax(-1)
    full = _full(loaded, features, guesses.pred_masks[0, torch.arange(len(boxes)), best][:, None])
    return full.any(0)[0].cpu().numpy().astype(np.uint8) * 255
