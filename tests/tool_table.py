"""The guide's table of what other systems call their tools and what does it here.

`python -m tests.tool_table` writes it anew from the declarations.

The rows are the 27 tools of Visual ChatGPT, 22 of its paper and five later ones, and the tasks and control
tasks of HuggingGPT that see or make pictures and films.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from nodes import load_tools
from nodes.api import Backend, Tool

PAGE = Path(__file__).resolve().parents[1] / "resources" / "guide" / "tools.md"
VISUAL_CHATGPT: Mapping[str, tuple[str, ...]] = {
    "Remove Something From The Photo": ("segment_described", "remove_object"),
    "Replace Something From The Photo": ("replace_object",),
    "Instruct Image Using Text": ("edit_by_instruction",),
    "Answer Question About The Image": ("ask_image", "ask_region"),
    "Get Photo Description": ("describe_image",),
    "Generate Image From User Input Text": ("text_to_image",),
    "Edge Detection On Image": ("edge_map",),
    "Generate Image Condition On Canny Image": ("map_to_image",),
    "Line Detection On Image": ("line_map",),
    "Generate Image Condition On Line Image": ("line_to_image",),
    "Hed Detection On Image": ("soft_edge_map",),
    "Generate Image Condition On Soft Hed Boundary Image": ("soft_edge_to_image",),
    "Segmentation On Image": ("segment_named", "segment_everything"),
    "Generate Image Condition On Segmentations": ("segmentation_to_image",),
    "Predict Depth On Image": ("depth_map",),
    "Generate Image Condition On Depth": ("depth_to_image",),
    "Predict Normal Map On Image": ("normal_map",),
    "Generate Image Condition On Normal Map": ("normal_to_image",),
    "Sketch Detection On Image": ("scribble_map",),
    "Generate Image Condition On Sketch Image": ("scribble_to_image",),
    "Pose Detection On Image": ("pose_map",),
    "Generate Image Condition On Pose Image": ("pose_to_image",),
    "Extend An Image": ("extend_canvas",),
    "Segment the Image": ("segment_everything", "segment_named"),
    "Detect the Given Object": ("find_described",),
    "Segment the Given Object": ("segment_described",),
    "Remove The Background": ("cut_out",),
}
HUGGINGGPT: Mapping[str, tuple[str, ...]] = {
    "image-classification": ("classify_image",),
    "object-detection": ("detect_objects", "find_described"),
    "image-segmentation": ("segment_named",),
    "image-to-text": ("describe_image", "read_text"),
    "visual-question-answering": ("ask_image",),
    "document-question-answering": ("ask_document",),
    "depth-estimation": ("depth_map",),
    "text-to-image": ("text_to_image",),
    "image-to-image": ("image_to_image", "edit_by_instruction", "upscale", "colourise"),
    "text-to-video": ("text_to_video",),
    "video-classification": ("classify_video",),
    "canny-control": ("edge_map",),
    "canny-text-to-image": ("map_to_image",),
    "mlsd-control": ("line_map",),
    "mlsd-text-to-image": ("line_to_image",),
    "hed-control": ("soft_edge_map",),
    "hed-text-to-image": ("soft_edge_to_image",),
    "scribble-control": ("scribble_map",),
    "scribble-text-to-image": ("scribble_to_image",),
    "openpose-control": ("pose_map",),
    "openpose-text-to-image": ("pose_to_image",),
    "depth-text-to-image": ("depth_to_image",),
    "normal-control": ("normal_map", "normal_from_depth"),
    "normal-text-to-image": ("normal_to_image",),
    "seg-text-to-image": ("segmentation_to_image",),
}


def page() -> str:
    """The page of the guide."""
    tools = load_tools().tools
    parts = [
        "# Tools under other names\n",
        "Made from what the tools declare. *At once*: built in, nothing is fetched. *Models*: how many of the\n"
        "catalogue do it, of which one is fetched on first use. *Server*: a language model or a service that you\n"
        "named in the settings may do it.\n",
    ]
    for title, rows in (("Visual ChatGPT", VISUAL_CHATGPT), ("HuggingGPT", HUGGINGGPT)):
        parts.append(f"## {title}\n")
        parts.append("| there | here | at once | models | server |\n|---|---|---|---|---|")
        parts += [
            _row(name if not place else "", tools[id]) for name, ids in rows.items() for place, id in enumerate(ids)
        ]
        parts.append("")
    return "\n".join([*parts, "[Back to the first page](index.md)", ""])


def _row(name: str, tool: Tool) -> str:
    def of(kind: str) -> list[Backend]:
        return [backend for backend in tool.backends if backend.kind == kind]

    cells = (
        name,
        tool.title,
        "yes" if of("built-in") else "",
        str(len(of("model")) or ""),
        "yes" if of("endpoint") else "",
    )
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
