"""Conquest of the Empire with the option `scene`."""

from browser.staged import staged

TITLE = staged("conquest")
