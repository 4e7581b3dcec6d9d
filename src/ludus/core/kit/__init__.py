"""The test-kit that every title gets: random play with every promise of the contract checked."""

from .run import Kit, KitReport, boxes_of, run_kit

__all__ = ["Kit", "KitReport", "boxes_of", "run_kit"]
