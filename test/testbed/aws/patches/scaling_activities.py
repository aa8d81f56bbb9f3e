"""Scaling activities as AWS keeps them: a launch is one from its start to its end, a failed one says why in
AWS's words, and DescribeScalingActivities gives them newest first, in pages. The emulator keeps none."""

import json
import uuid

from ministack.services import autoscaling
from ministack.services.autoscaling import _error, _p, _parse_member_list, _xml

from . import point

_MOST = 1_000
_PAGE = 100

_REASONS = {
    "InsufficientInstanceCapacity": (
        "We currently do not have sufficient {type} capacity in the Availability Zone you requested ({zone}). "
        "Our system will be working on provisioning additional capacity."
    ),
    "InstanceLimitExceeded": "You have requested more instances than your current instance limit allows for the specified instance type.",
    "VcpuLimitExceeded": "You have requested more vCPU capacity than your current vCPU limit allows for the instance bucket that the specified instance type belongs to.",
    "MaxSpotInstanceCountExceeded": "Max spot instance count exceeded",
    "RequestLimitExceeded": "Request limit exceeded.",
    "UnauthorizedOperation": "You are not authorized to perform this operation.",
}


def install():
    point.replace(autoscaling._ACTION_MAP, "DescribeScalingActivities", describe, ("p",))
    point.original(autoscaling, "_member_xml", ("value",))


def failure_message(code, instance_type, zone):
    """What AWS says of a launch that EC2 refused with `code`."""
    reason = _REASONS.get(code, "EC2 refused the request.").format(type=instance_type, zone=zone)
    return f"Could not launch On-Demand Instances. {code} - {reason} Launching EC2 instance failed."


def begin(group, description, cause, zone="", subnet=""):
    """A new activity under way, first of the group's."""
    now = autoscaling.now_iso()
    activity = {
        "ActivityId": str(uuid.uuid4()),
        "AutoScalingGroupName": group["AutoScalingGroupName"],
        "AutoScalingGroupARN": group["AutoScalingGroupARN"],
        "Description": description,
        "Cause": f"At {now} {cause}.",
        "StartTime": now,
        "StatusCode": "InProgress",
        "Progress": 30,
        "Details": json.dumps({"Subnet ID": subnet, "Availability Zone": zone}),
    }
    activities = group.setdefault("_activities", [])
    activities.insert(0, activity)
    del activities[_MOST:]
    return activity


def end(activity, status="Successful", message=""):
    """`Failed` and `Cancelled` say why, in the description too."""
    activity.update({"StatusCode": status, "Progress": 100, "EndTime": autoscaling.now_iso()})
    if message:
        activity["StatusMessage"] = message
        activity["Description"] += f".  Status Reason: {message}"
    return activity


def describe(p):
    name = _p(p, "AutoScalingGroupName")
    if name and name not in autoscaling._asgs:
        return _error("ValidationError", f"AutoScalingGroup name not found - AutoScalingGroup '{name}' not found")
    size = int(_p(p, "MaxRecords") or _PAGE)
    if not 1 <= size <= _PAGE:
        return _error("ValidationError", f"MaxRecords must be between 1 and {_PAGE}")
    wanted = _parse_member_list(p, "ActivityIds")
    found = [
        activity
        for group in autoscaling._asgs.values()
        if name in ("", group["AutoScalingGroupName"])
        for activity in group.get("_activities", [])
        if not wanted or activity["ActivityId"] in wanted
    ]
    start = int(_p(p, "NextToken") or 0)
    page = {"Activities": found[start : start + size]}
    if start + size < len(found):
        page["NextToken"] = str(start + size)
    inner = autoscaling._member_xml(page)
    return _xml(
        200,
        "DescribeScalingActivitiesResponse",
        f"<DescribeScalingActivitiesResult>{inner}</DescribeScalingActivitiesResult>",
    )
