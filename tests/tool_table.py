"""The guide's table of what other systems call their tools and what does it here, in each language.

`python -m tests.tool_table` writes them anew from the declarations.

The rows are the 27 tools of Visual ChatGPT, 22 of its paper and five later ones, and the tasks and control
tasks of HuggingGPT that see or make pictures and films.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from desktop_app.i18n import catalogue
from desktop_app.i18n.tools import LocalizedTools
from nodes import load_tools
from nodes.api import Backend, Tool

PAGE = Path(__file__).resolve().parents[1] / "resources" / "guide" / "tools.md"
PAGES = {"en": PAGE, "zh": PAGE.parent / "zh" / PAGE.name}
_WORDS = {
    "en": (
        "Tools under other names",
        "Made from what the tools declare. *At once*: built in, nothing is fetched. *Models*: how many of the\n"
        "catalogue do it, of which one is fetched on first use. *Server*: a language model or a service that you\n"
        "named in the settings may do it.",
        "|there|here|at once|models|server|",
        "yes",
        "Back to the first page",
    ),
    "zh": (
        "工具的其他名称",
        "由工具自己的说明生成。“直接可用”：内置，不用下载。“模型”：目录中有几个模型能做，首次使用时下载一个。"
        "“服务器”：可以交给设置里的语言模型或服务。",
        "|那里|这里|直接可用|模型|服务器|",
        "是",
        "回到首页",
    ),
}
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


def page(language: str) -> str:
    """The page of the guide in that language."""
    title, about, head, yes, back = _WORDS[language]
    parts = [f"# {title}\n", f"{about}\n"]
    with catalogue.speaking(language):
        tools = LocalizedTools(load_tools().tools)
        for system, rows in (("Visual ChatGPT", VISUAL_CHATGPT), ("HuggingGPT", HUGGINGGPT)):
            parts += [f"## {system}\n", f"{head}\n|-|-|-|-|-|"]
            for name, ids in rows.items():
                parts += [_row(name if id == ids[0] else "", tools[id], yes) for id in ids]
            parts.append("")
    return "\n".join([*parts, f"[{back}](index.md)", ""])


def _row(name: str, tool: Tool, yes: str) -> str:
    def of(kind: str) -> list[Backend]:
        return [backend for backend in tool.backends if backend.kind == kind]

    cells = (
        name,
        tool.title,
        yes if of("built-in") else "",
        str(len(of("model")) or ""),
        yes if of("endpoint") else "",
    )
    return f"|{'|'.join(cells)}|"


if __name__ == "__main__":
    for language, path in PAGES.items():
        path.write_text(page(language), "utf-8")
