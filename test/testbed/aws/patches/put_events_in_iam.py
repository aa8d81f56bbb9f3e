"""IAM conditions on what PutEvents puts: `events:source` and `events:detail-type`, of all entries of a call.
The emulator knows neither, so that a grant which is conditioned on them would allow nothing."""

import json
from contextvars import ContextVar

from ministack.core import iam_actions, iam_evaluator

from . import point

_FIELDS = {"events:source": "Source", "events:detail-type": "DetailType"}
_entries = ContextVar("entries of the PutEvents call being judged", default=())


def install():
    arn_of_request = point.original(iam_actions, "extract_resource_arn", ("service", "method", "path", "headers", "body", "query_params"))
    resolve = point.original(iam_evaluator, "_resolve_condition_key", ("key", "ctx"))

    def extract_resource_arn(service, method, path, headers, body, query_params, *rest):
        _entries.set(_entries_of(body) if service == "events" else ())
        return arn_of_request(service, method, path, headers, body, query_params, *rest)

    def resolve_with_entries(key, ctx):
        field = _FIELDS.get(key.lower())
        if field is None or ctx.action != "events:PutEvents":
            return resolve(key, ctx)
        return [entry[field] for entry in _entries.get() if isinstance(entry.get(field), str)] or None

    point.replace(iam_actions, "extract_resource_arn", extract_resource_arn)
    point.replace(iam_evaluator, "_resolve_condition_key", resolve_with_entries)


def _entries_of(body):
    try:
        entries = json.loads(body or b"{}").get("Entries")
    except (ValueError, AttributeError):
        return ()
    return tuple(entry for entry in entries if isinstance(entry, dict)) if isinstance(entries, list) else ()
