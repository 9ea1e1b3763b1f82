"""What models exist, for the application: the catalogue of nodes/catalogue.py, with errors in words."""

from __future__ import annotations

from desktop_app.core.errors import BadRequest
from nodes.catalogue import SAFE_SUFFIXES, BadCatalogue, Model, catalogue, models_of, with_needs
from nodes.phrase import Phrase

__all__ = ["SAFE_SUFFIXES", "BadCatalogue", "Model", "catalogue", "find", "models_of", "with_needs"]


def find(id: str) -> Model:
    """The model of that id. Raises BadRequest."""
    model = catalogue().get(id)
    if model is None:
        raise BadRequest(Phrase("There is no model '{id}' in the catalogue.", id=id), "See: graphwright models list")
    return model
