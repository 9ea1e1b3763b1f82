"""What should be and is not yet: a case of a test that fails today, and tells when it no longer does."""

from __future__ import annotations

from typing import Any

import pytest


def not_yet(*values: Any, why: str) -> Any:
    """A case for parametrize."""
    return pytest.param(*values, marks=pytest.mark.xfail(strict=True, reason=why))
