"""Antike Duellum with the option `scene`."""

from browser.staged import staged

TITLE = staged("duellum")
