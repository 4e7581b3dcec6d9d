"""A program that plays on a server: the last of its legal actions (docs/bot-protocol.md)."""

import json
import sys

if __name__ == "__main__":
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        print(json.dumps({"code": json.loads(line)["legal"][-1]["code"]}), flush=True)
