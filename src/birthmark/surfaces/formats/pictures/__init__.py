"""Pictures of answers as SVG: pure functions from values to a Picture, which is a document or part of a page."""
