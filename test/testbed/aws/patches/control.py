"""The test bed's own HTTP path, and what it controls: a record of every API call, faults, AWS's own events.

GET    /_testbed/calls?service=&action=&principal=&sinceMs=   calls, oldest first
DELETE /_testbed/calls
POST   /_testbed/faults   {"service", "action", "code"? or "delayMs"?, "afterEffect"?, "times"?, "skip"?, "status"?,
                           "message"?, "resource"?, "principal"?, "group"?}
GET    /_testbed/faults   those that have not happened yet
DELETE /_testbed/faults
GET    /_testbed/groups   Auto Scaling groups with their instances, for the fleet; not recorded as a call
POST   /_testbed/events   {"source": "aws.ec2", "detailType", "detail", "resources"?}

`service` and `action` are IAM's names (`autoscaling`, `SetDesiredCapacity`).
"""

import asyncio
import json
import time
from collections import deque
from urllib.parse import unquote_plus

from ministack import app
from ministack.core import iam_actions, iam_evaluator
from ministack.services import autoscaling, ec2

from . import faults, iam_judgements, point
from .aws_events import emit

_MOST_CALLS = 200_000
_LONGEST_DELAY_MS = 60_000
_calls = deque(maxlen=_MOST_CALLS)

# Codes whose HTTP status is not 400; a fault may also name its own.
_STATUS = {
    "InternalFailure": 500,
    "InternalError": 500,
    "InternalServerError": 500,
    "ServiceUnavailable": 503,
    "Unavailable": 503,
    "RequestLimitExceeded": 503,
    "SlowDown": 503,
    "AccessDenied": 403,
    "InsufficientInstanceCapacity": 500,
}


def install():
    dispatch = point.original(app, "_dispatch_service_request", ("method", "path", "headers", "body", "query_params", "request_id"))
    shortcuts = point.original(app, "_handle_post_body_shortcuts", ("method", "path", "headers", "body", "query_params", "request_id"))
    point.original(iam_actions, "extract_iam_action", ("service", "method", "path", "headers", "body", "query_params"))
    point.original(iam_actions, "access_denied_response", ("service", "action", "principal_arn", "request_id"))
    point.original(iam_evaluator, "request_caller_arn", ("headers", "query_params"))

    async def dispatch_and_record(method, path, headers, body, query_params, request_id):
        at, started = time.time(), time.monotonic()
        service, action = _name_of(method, path, headers, body, query_params)
        principal = iam_evaluator.request_caller_arn(headers, query_params) or ""
        fault = faults.take(service, action, about=_all_of(path, body), principal=principal) or {}
        code = fault.get("code")
        judged = iam_judgements.begin()
        answer = None
        if not code or fault.get("afterEffect"):
            answer = await dispatch(method, path, headers, body, query_params, request_id)
        if fault.get("delayMs"):
            # After the effect: whoever gives up waiting cannot know that it happened.
            await asyncio.sleep(min(fault["delayMs"], _LONGEST_DELAY_MS) / 1000)
        if code:
            answer = _fault_answer(service, action, fault, headers, request_id)
        _calls.append(
            {
                "service": service,
                "action": action,
                "principal": principal,
                "atMs": round(at * 1000),
                "milliseconds": round((time.monotonic() - started) * 1000, 1),
                "status": answer[0],
                "parameters": _parameters(headers, body),
                "judged": judged,
                **({"fault": code or "delay"} if fault else {}),
            }
        )
        return answer

    async def answer_control(method, path, headers, body, query_params, request_id):
        if path.startswith("/_testbed/"):
            return _control(method, path.removeprefix("/_testbed/"), body, query_params)
        return await shortcuts(method, path, headers, body, query_params, request_id)

    point.replace(app, "_dispatch_service_request", dispatch_and_record)
    point.replace(app, "_handle_post_body_shortcuts", answer_control)


def _name_of(method, path, headers, body, query_params):
    params = app._routing_params(method, path, headers, body, query_params)
    service = app.detect_service(method, path, headers, params)
    full = iam_actions.extract_iam_action(service, method, path, headers, body, params) or f"{service}:{method}"
    name, action = full.split(":", 1)
    return name, action


def _parameters(headers, body):
    """The small JSON or form body of a call, for assertions; secrets' values are left out."""
    if not body or len(body) > 20_000 or "secretsmanager" in headers.get("x-amz-target", ""):
        return None
    kind = headers.get("content-type", "")
    if "json" in kind or "form-urlencoded" in kind:
        return body.decode("utf-8", "replace")
    return None


def _all_of(path, body):
    """The path and the body, decoded as far as names of resources are looked for in them."""
    return unquote_plus(f"{path} {(body or b'')[:100_000].decode('utf-8', 'replace')}")


def _fault_answer(service, action, fault, headers, request_id):
    message = fault.get("message") or f"{fault['code']}: injected by the test bed"
    _, answer_headers, answer_body = iam_actions.access_denied_response(
        service, f"{service}:{action}", "", request_id, error_code=fault["code"], message=message, headers=headers
    )
    return int(fault.get("status") or _STATUS.get(fault["code"], 400)), answer_headers, answer_body


def _control(method, path, body, query_params):
    data = json.loads(body) if body else None
    if path == "calls":
        return _calls_answer(method, query_params)
    if path == "faults":
        if method == "POST":
            missing = [name for name in ("service", "action") if not data.get(name)]
            if missing or not (data.get("code") or data.get("delayMs")):
                return _json(400, {"message": f"a fault needs {', '.join([*missing, 'code or delayMs'])}"})
            faults.add(data)
        elif method == "DELETE":
            faults.clear()
        return _json(200, {"faults": faults.waiting()})
    if path == "events" and method == "POST":
        emit(data["source"], data["detailType"], data.get("detail", {}), data.get("resources", []))
        return _json(200, {})
    if path == "groups":
        return _json(200, {"groups": [_group(group) for group in autoscaling._asgs.values()]})
    return _json(404, {"message": f"no /_testbed/{path}; see patches/control.py"})


def _group(group):
    members = (ec2._instances.get(instance["InstanceId"]) for instance in group["Instances"])
    return {
        "name": group["AutoScalingGroupName"],
        "tags": {tag["Key"]: tag["Value"] for tag in group["Tags"]},
        "instances": [
            {
                "id": member["InstanceId"],
                "type": member["InstanceType"],
                "zone": member["Placement"]["AvailabilityZone"],
                "architecture": member["Architecture"],
                "privateIp": member["PrivateIpAddress"],
                "privateDnsName": member["PrivateDnsName"],
                "state": member["State"]["Name"],
            }
            for member in members
            if member
        ],
    }


def _calls_answer(method, query_params):
    if method == "DELETE":
        _calls.clear()
        return _json(200, {"calls": []})
    wanted = {name: values[0] for name, values in query_params.items()}
    since = int(wanted.pop("sinceMs", 0))
    found = [
        call
        for call in list(_calls)
        if call["atMs"] >= since and all(value in (call.get(name) or "") for name, value in wanted.items())
    ]
    return _json(200, {"calls": found})


def _json(status, value):
    return status, {"Content-Type": "application/json"}, json.dumps(value).encode()
