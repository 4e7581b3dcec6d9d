"""The maps of the boards: drawn from public coastlines and tables of our own, for development only.

`python -m tools.maps --help` says how; `pip install ludus-antiquus[maps]` brings what it needs.
"""
