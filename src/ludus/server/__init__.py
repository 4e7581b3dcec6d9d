"""The server: HTTP for commands and pages, one WebSocket a viewer for what happens."""
