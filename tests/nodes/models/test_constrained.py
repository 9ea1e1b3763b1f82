"""What a model writes under a schema is a whole JSON value of it, however random the model and however few tokens."""

from __future__ import annotations

import json

import pytest

from nodes._support.inference.chatting import folded, prompt_of
from nodes._support.models.constrained import BadSchema, Constrained, TooFewTokens, Vocabulary
from nodes.api import Cancelled, NodeError
from nodes.text import _converse as converse
from tests.nodes.models.tiny.builders import byte_vocabulary

PLAN = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "steps": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "tool": {"enum": ["blur", "flip"]},
                    "args": {"type": "object"},
                },
                "required": ["id", "tool", "args"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["steps"],
    "additionalProperties": False,
}
ROW = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 5, "maxLength": 9},
        "kind": {"enum": ["alpha", "beta"]},
        "share": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        "marks": {"type": "array", "items": {"type": "integer", "minimum": 10, "maximum": 99}, "minItems": 2},
    },
    "required": ["name", "kind", "share", "marks"],
    "additionalProperties": False,
}
TREE = {
    "$defs": {
        "node": {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {"left": {"$ref": "#/$defs/node"}, "right": {"$ref": "#/$defs/node"}},
                    "required": ["left", "right"],
                    "additionalProperties": False,
                },
                {"type": "integer"},
            ]
        }
    },
    "$ref": "#/$defs/node",
}


def is_plan(value) -> bool:
    def is_step(step) -> bool:
        return (
            step.keys() == {"id", "tool", "args"}
            and step["tool"] in ("blur", "flip")
            and isinstance(step["id"], str)
            and isinstance(step["args"], dict)
        )

    return {"steps"} <= value.keys() <= {"title", "steps"} and all(map(is_step, value["steps"]))


def is_row(value) -> bool:
    return (
        value.keys() == {"name", "kind", "share", "marks"}
        and 5 <= len(value["name"]) <= 9
        and value["kind"] in ("alpha", "beta")
        and 0 < value["share"] <= 1
        and len(value["marks"]) >= 2
        and all(isinstance(mark, int) and 10 <= mark <= 99 for mark in value["marks"])
    )


def is_tree(value) -> bool:
    return isinstance(value, int) or (value.keys() == {"left", "right"} and all(map(is_tree, value.values())))


CASES = {
    "a plan": (PLAN, is_plan),
    "a row": (ROW, is_row),
    "a tree": (TREE, is_tree),
    "any object": ({"type": "object"}, lambda value: isinstance(value, dict)),
    "lists in a list": ({"type": "array", "items": {"type": "array"}}, lambda v: all(type(each) is list for each in v)),
    "a text": ({"type": "string"}, lambda value: isinstance(value, str)),
    "anything": ({}, lambda value: True),
}  # fmt: skip


@pytest.fixture(scope="module")
def talker(model_of):
    """The tiny chat model's tokenizer, network and vocabulary."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = model_of("qwen2-5-0-5b")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModelForCausalLM.from_pretrained(folder).eval()
    return tokenizer, network, Vocabulary(tokenizer, network.config.vocab_size)


def written(talker, schema, most: int, seed: int, temperature: float) -> str:
    """What the network writes with weights, and draws, of that seed."""
    import torch

    tokenizer, network, vocabulary = talker
    held = Constrained(vocabulary, schema, most, temperature)
    torch.manual_seed(seed)
    prompt = tokenizer("hello", return_tensors="pt")
    with torch.inference_mode():
        for weights in network.parameters():
            torch.nn.init.normal_(weights, 0, 0.5)
        tokens = network.generate(
            **prompt, max_new_tokens=most, do_sample=False, logits_processor=[held], eos_token_id=vocabulary.ends,
            pad_token_id=tokenizer.pad_token_id,
        )  # fmt: skip
    return tokenizer.decode(tokens[0, prompt["input_ids"].shape[1] :], skip_special_tokens=True)


@pytest.mark.parametrize("name", CASES)
def test_a_random_model_always_writes_a_whole_value_of_the_schema(talker, name):
    schema, fits = CASES[name]
    with pytest.raises(TooFewTokens) as caught:
        Constrained(talker[2], schema, 0)
    shortest = caught.value.needed
    lengths = (shortest, shortest + 1, shortest + 7, shortest + 40)
    for seed in range(20):
        text = written(talker, schema, lengths[seed % 4], seed, (0.0, 1.0, 3.0)[seed % 3])
        assert fits(json.loads(text)), text


def test_the_same_random_model_writes_no_json_when_it_is_free(talker):
    tokenizer, network, _ = talker
    prompt = tokenizer("hello", return_tensors="pt")
    tokens = network.generate(**prompt, max_new_tokens=40, do_sample=False, pad_token_id=256)
    with pytest.raises(ValueError):  # noqa: PT011 - of json
        json.loads(tokenizer.decode(tokens[0, prompt["input_ids"].shape[1] :]))


@pytest.fixture(scope="module")
def wide():
    """A vocabulary like those of real models: tokens of several letters, that open or close more than one thing."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = byte_vocabulary()
    merges = [('{', '"'), ('"', ':'), ('":', 'Ġ'), ('[', '['), ('[[', '[['), ('[[', '{"'), ('"', '}'), ('"}', ']'),
              (']', '}'), ('"', ','), ('",', 'Ġ'), ('Ã', '¤'), ('ä', '¸'), ('a', 'b'), ('ab', '"}'), ('\\', 'u'),
              ('1', '2'), ('12', '12'), ('}', '}'), ('"', '"')]  # fmt: skip
    for pair in merges:
        words.setdefault("".join(pair), len(words))
    inner = Tokenizer(models.BPE(vocab=words, merges=merges))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    inner.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<|endoftext|>")
    return tokenizer, Vocabulary(tokenizer, len(words) + 30)  # networks are often wider than their vocabulary


@pytest.mark.parametrize("name", CASES)
def test_tokens_of_several_letters_end_in_time_too(wide, name):
    import torch

    tokenizer, vocabulary = wide
    schema, fits = CASES[name]
    with pytest.raises(TooFewTokens) as caught:
        Constrained(vocabulary, schema, 0)
    for seed in range(24):
        most = caught.value.needed + seed % 12
        held = Constrained(vocabulary, schema, most, (0.0, 2.0)[seed % 2])
        torch.manual_seed(seed)
        tokens = []
        while len(tokens) < most and (not tokens or tokens[-1] not in vocabulary.ends):
            liking = torch.randn(1, len(tokenizer) + 30) * 4
            liking[0, 257 : len(tokenizer)] += 6  # the long ones
            tokens.append(int(held(torch.zeros(1, 1), liking).argmax()))
        text = tokenizer.decode(tokens, skip_special_tokens=True)
        assert fits(json.loads(text)), text


def test_more_tokens_are_used_when_they_are_there(talker):
    lengths = [len(written(talker, {"type": "string"}, most, 3, 0.0)) for most in (8, 40, 80)]
    assert lengths == sorted(lengths) and lengths[0] < lengths[2]


def test_what_the_model_likes_best_is_taken_where_the_schema_allows_it(talker):
    import torch

    tokenizer, _, vocabulary = talker
    wish, text = '{"steps": [{"id": "a", "tool": "flip", "args": {"x": [1, true]}}]}', ""
    held = Constrained(vocabulary, PLAN, 200)
    for letter in wish:
        scores = torch.zeros(1, 257)
        scores[0, tokenizer.convert_tokens_to_ids(tokenizer.tokenize(letter)[0])] = 9.0
        scores[0, tokenizer.convert_tokens_to_ids("Ā")] = 50.0  # byte 0, which JSON has nowhere
        text += tokenizer.decode(held(torch.zeros(1, 1), scores).argmax(-1))
    assert text == wish


def test_scores_that_are_no_numbers_do_no_harm(talker):
    import torch

    tokenizer, _, vocabulary = talker
    held, tokens = Constrained(vocabulary, PLAN, 60), []
    for value in (float("nan"), float("inf"), float("-inf")) * 20:
        scores = held(torch.zeros(1, 1), torch.full((1, 257), value))
        tokens.append(int(scores.argmax()))
    assert is_plan(json.loads(tokenizer.decode(tokens, skip_special_tokens=True)))


@pytest.mark.parametrize(
    "schema",
    [{"type": "wrong"}, {"type": "string", "minLength": 9000}, {"$ref": "https://example.org/x"}, {"enum": []},
     {"$defs": {"a": {"type": "array", "items": {"$ref": "#/$defs/a"}, "minItems": 1}}, "$ref": "#/$defs/a"}],
    ids=["no type", "too long", "outside", "nothing", "without end"],
)  # fmt: skip
def test_a_schema_that_cannot_be_kept_to_is_refused(talker, schema):
    with pytest.raises(BadSchema):
        Constrained(talker[2], schema, 200)


def test_a_reply_streams_and_keeps_to_its_schema(context_for):
    context = context_for("qwen2-5-0-5b")
    messages = json.dumps([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}])
    text = converse.converse(messages, json.dumps(PLAN), 60, context=context)
    assert is_plan(json.loads(text))
    told = [(fraction, note) for fraction, note, _ in context.told]
    assert all(text.startswith(note.rstrip("\N{REPLACEMENT CHARACTER}")) for fraction, note in told if fraction > 0)
    assert all("model" in note for fraction, note in told if fraction == 0)
    assert converse.converse(messages, json.dumps(PLAN), 60, context=context) == text


def test_a_reply_under_a_schema_stops_within_a_token(context_for):
    context = context_for("qwen2-5-0-5b")
    messages = json.dumps([{"role": "user", "content": "Hello"}])
    converse.converse(messages, '{"type": "string"}', 60, context=context)
    context.stop_after, context.looks, context.told = context.looks // 2, 0, []
    with pytest.raises(Cancelled):
        converse.converse(messages, '{"type": "string"}', 60, context=context)
    assert 0 < len(context.told) < 60


@pytest.mark.parametrize(
    ("messages", "schema", "most", "port"),
    [
        ("no json", "", 20, "messages"),
        ("[]", "", 20, "messages"),
        ('[{"role": "judge", "content": "x"}]', "", 20, "messages"),
        ('[{"role": "user"}]', "", 20, "messages"),
        ('[{"role": "user", "content": "x"}]', "[]", 20, "schema"),
        ('[{"role": "user", "content": "x"}]', '{"type": "wrong"}', 20, "schema"),
        ('[{"role": "user", "content": "x"}]', json.dumps(PLAN), 3, "max_tokens"),
        (json.dumps([{"role": "user", "content": "x" * 500}]), "", 20, "messages"),
    ],
)
def test_what_cannot_be_answered_names_the_input_at_fault(context_for, messages, schema, most, port):
    with pytest.raises(NodeError) as caught:
        converse.converse(messages, schema, most, context=context_for("qwen2-5-0-5b"))
    assert caught.value.port == port


SAID = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Hello"},
    {"role": "assistant", "content": "Hi"},
    {"role": "user", "content": "Bye"},
]


def test_a_conversation_is_written_as_the_model_was_trained_on_it(talker):
    tokenizer = talker[0]
    text = tokenizer.decode(prompt_of(tokenizer, SAID)["input_ids"][0])
    assert text == "system: Be brief.\nuser: Hello\nassistant: Hi\nuser: Bye\nassistant:"


def test_without_a_template_the_roles_are_written_out(talker, monkeypatch):
    tokenizer = talker[0]
    monkeypatch.setattr(tokenizer, "chat_template", None)
    text = tokenizer.decode(prompt_of(tokenizer, SAID)["input_ids"][0])
    assert text == "System: Be brief.\n\nUser: Hello\n\nAssistant: Hi\n\nUser: Bye\n\nAssistant:"


def test_a_template_that_knows_no_system_role_gets_it_from_the_user(talker, monkeypatch):
    tokenizer = talker[0]
    refuses = "{% if m['role'] == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
    turn = "<{{ m['role'] }}>{{ m['content'] }}"
    monkeypatch.setattr(tokenizer, "chat_template", "{% for m in messages %}" + refuses + turn + "{% endfor %}")
    text = tokenizer.decode(prompt_of(tokenizer, SAID)["input_ids"][0])
    assert text == "<user>Be brief.\n\nHello<assistant>Hi<user>Bye"


def test_folding_joins_what_one_says_in_a_row():
    again = [*SAID, {"role": "user", "content": "Now"}]
    assert [m["role"] for m in folded(again)] == ["user", "assistant", "user"]
    assert folded(again)[-1]["content"] == "Bye\n\nNow"


def test_the_hidden_tool_runs_on_the_models_of_the_chat_and_is_in_no_toolbox():
    from nodes import load_tools

    chats = [b for b in load_tools().tools["chat"].backends if b.model]  # the connected model is asked without it
    assert chats and [b.model for b in converse.TOOL.backends] == [b.model for b in chats]
    assert all(set(b.requires) > set(c.requires) for b, c in zip(converse.TOOL.backends, chats, strict=True))
    assert converse.TOOL.id not in load_tools().tools
