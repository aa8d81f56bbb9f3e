"""DescribeAutoScalingInstances with its limit, paging and instance types, and DescribeAutoScalingGroups with filters (`tag-key`, `tag-value`, `tag:<key>`), paging, suspended processes,
instance types and the mixed-instances policy; names and tags are escaped. The emulator has none of these."""

from ministack.services import autoscaling
from ministack.services.autoscaling import _error, _p, _parse_member_list, _xml

from . import point
from .query import nested

_PAGE = 50
_LARGEST_PAGE = 100
_INTERNAL = ("InstanceRefreshes", "Status")


def install():
    point.replace(autoscaling._ACTION_MAP, "DescribeAutoScalingGroups", describe, ("p",))
    point.replace(autoscaling._ACTION_MAP, "DescribeAutoScalingInstances", describe_instances, ("p",))
    point.original(autoscaling, "_member_xml", ("value",))


def describe(p):
    size = int(_p(p, "MaxRecords") or _PAGE)
    if not 1 <= size <= _LARGEST_PAGE:
        return _error("ValidationError", f"MaxRecords must be between 1 and {_LARGEST_PAGE}")
    names = _parse_member_list(p, "AutoScalingGroupNames")
    filters = nested(p).get("Filters", [])
    unknown = [f["Name"] for f in filters if not f["Name"].startswith(("tag:", "tag-"))]
    if unknown:
        return _error("ValidationError", f"Filter {unknown[0]} is not valid")
    found = [
        group
        for name, group in sorted(autoscaling._asgs.items())
        if (not names or name in names) and all(_matches(group["Tags"], f) for f in filters)
    ]
    return _page("DescribeAutoScalingGroups", "AutoScalingGroups", [_view(group) for group in found], size, p)


def describe_instances(p):
    size = int(_p(p, "MaxRecords") or _PAGE)
    wanted = _parse_member_list(p, "InstanceIds")
    if not 1 <= size <= _PAGE or len(wanted) > _PAGE:
        return _error("ValidationError", f"MaxRecords and the number of instance ids are at most {_PAGE}")
    found = [
        {**_visible(instance), "AutoScalingGroupName": group["AutoScalingGroupName"]}
        for _, group in sorted(autoscaling._asgs.items())
        for instance in group["Instances"]
        if not wanted or instance["InstanceId"] in wanted
    ]
    return _page("DescribeAutoScalingInstances", "AutoScalingInstances", found, size, p)


def _page(action, name, found, size, p):
    start = int(_p(p, "NextToken") or 0)
    page = {name: found[start : start + size]}
    if start + size < len(found):
        page["NextToken"] = str(start + size)
    return _xml(200, f"{action}Response", f"<{action}Result>{autoscaling._member_xml(page)}</{action}Result>")


def _matches(tags, condition):
    name, values = condition["Name"], condition.get("Values", [])
    if name == "tag-key":
        return any(tag["Key"] in values for tag in tags)
    if name == "tag-value":
        return any(tag["Value"] in values for tag in tags)
    key = name.removeprefix("tag:")
    return any(tag["Key"] == key and tag["Value"] in values for tag in tags)


def _view(group):
    shown = {key: value for key, value in group.items() if not key.startswith("_") and key not in _INTERNAL}
    shown["SuspendedProcesses"] = [
        {"ProcessName": name, "SuspensionReason": "User suspended"} for name in group.get("SuspendedProcesses", [])
    ]
    shown["Instances"] = [_visible(instance) for instance in group["Instances"]]
    if group.get("MixedInstancesPolicy"):
        shown.pop("LaunchTemplate", None)
    return {key: value for key, value in shown.items() if value not in ("", {})}


def _visible(instance):
    return {key: value for key, value in instance.items() if not key.startswith("_") and value not in ("", {})}
