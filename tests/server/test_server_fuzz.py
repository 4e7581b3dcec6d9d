"""The API fuzzed from its own document: whatever is sent, the answer is one that the document promises."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any, cast

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings, strategies
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from ludus.server.testing import ServerProcess
from samples import SMALL

EXAMPLES = 120 if os.environ.get("LUDUS_LONG") == "1" else 12
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


class Person:
    """A guest with a running match, whose ids the fuzzer is given now and then."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.renew()

    def renew(self) -> None:
        made = httpx.post(f"{self.url}/api/guest", json={"bearer": True}).json()
        self.headers = {"authorization": f"Bearer {made['token']}"}
        wish = {"title": SMALL, "seats": [{"kind": "me"}, {"kind": "screen"}]}
        match = httpx.post(f"{self.url}/api/matches", json=wish, headers=self.headers).json()
        self.match_id = match["table"]["id"]


@pytest.fixture(scope="session")
def person(server: ServerProcess) -> Person:
    return Person(server.url)


def operations(url: str) -> dict[str, Any]:
    document = schemathesis.openapi.from_url(f"{url}/api/openapi.json")
    found = {}
    for result in document.get_all_operations():
        operation: Any = cast(Any, result).ok()
        found[f"{operation.method.upper()} {operation.path}"] = operation
    return found


def test_no_answer_is_a_fault(server: ServerProcess, person: Person) -> None:
    tried: Counter[int] = Counter()
    for name, operation in operations(server.url).items():

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(), known=strategies.integers(0, 2))
        def attack(case: Any, known: int) -> None:
            if known and "match_id" in (case.path_parameters or {}):
                case.path_parameters["match_id"] = person.match_id
            answer = case.call(base_url=server.url, headers=person.headers)
            case.validate_response(answer, checks=CHECKS)
            tried[answer.status_code] += 1
            left = answer.status_code == 401 or case.operation.path in ("/api/me", "/api/logout")
            if left and httpx.get(f"{person.url}/api/me", headers=person.headers).status_code != 200:
                person.renew()

        try:
            attack()
        except BaseException as error:
            raise AssertionError(f"{name}: {error}") from error
    assert sum(tried.values()) > 100 and {200, 422} <= tried.keys(), tried
