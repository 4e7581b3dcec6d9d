"""The laboratory: what is measured over many games."""
