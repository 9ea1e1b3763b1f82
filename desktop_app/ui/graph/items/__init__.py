"""What is painted on the canvas: cards, links, notes."""
