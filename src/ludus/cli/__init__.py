"""The command line."""


def main() -> None:
    """Run the `ludus` command."""
