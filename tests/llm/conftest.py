"""For tests of language models on servers."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def servers_are_asked_again_at_once(no_pause_before_another_try):
    """In every test here."""
