"""A form that was promised is the form of a file among the results."""

import pytest

from desktop_app.graph.workflow import Node, Workflow
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.answering.promised_forms import in_form
from desktop_app.storage.resources import Resource, Store
from nodes import load_tools
from nodes.api import ResourceType, Table

TOOLS = load_tools().tools


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


def made(store, saved_as):
    digest, suffix = store.put_value(Table(("item", "price"), (("Tea", 2.5),)), ResourceType.TABLE)
    table = Resource("receipt_table.json", ResourceType.TABLE, digest, suffix, made_by="read")
    run = Run("r", 0.0, {"read": NodeRun("done", outputs={"table": table})}, "ok")
    return in_form(Workflow((), (Node("read", "picture_to_table"),), ()), run, TOOLS, saved_as, store)


@pytest.mark.parametrize(
    ("saved_as", "name"), [(".csv", "receipt_table.csv"), ("prices.csv", "prices.csv"), (".tsv", "receipt_table.tsv")]
)
def test_a_table_is_there_in_the_form_that_was_promised(store, saved_as, name):
    (file,) = made(store, saved_as)
    assert file.name == name and file.suffix == f".{name[-3:]}"
    assert store.path_of(file).read_text().splitlines()[1].replace("\t", ",") == "Tea,2.5"
    assert store.value(file).columns == ("item", "price")


def test_a_spreadsheet_is_a_file_for_other_programs(store):
    (file,) = made(store, ".xlsx")
    assert (file.name, file.type, file.suffix) == ("receipt_table.xlsx", ResourceType.FILE, ".xlsx")


@pytest.mark.parametrize("saved_as", ["", "prices", ".json", ".mp3"])
def test_nothing_more_is_written_where_nothing_else_was_promised(store, saved_as):
    assert made(store, saved_as) == ()
