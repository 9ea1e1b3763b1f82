"""For tests of language models on servers."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_pause_before_another_try(monkeypatch):
    """The client asks again as often as it does, without the seconds in between that it chooses by itself."""
    from openai import _base_client

    monkeypatch.setattr(_base_client, "INITIAL_RETRY_DELAY", 0.001)
    monkeypatch.setattr(_base_client, "MAX_RETRY_DELAY", 0.001)
