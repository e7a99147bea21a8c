"""Measures what a model does for a photographer: tasks on the simulated catalog, judged by the catalog's end state."""
