"""Clicking on a picture: points, boxes, strokes, and the mask they give."""
