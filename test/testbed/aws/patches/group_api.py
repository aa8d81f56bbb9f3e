"""The actions of Auto Scaling on groups and their instances: those the emulator lacks (terminate one,
suspend, resume, protect, set health) and those it answers without the checks or effects of AWS."""

import uuid

from ministack.services import autoscaling
from ministack.services.autoscaling import _error, _p, _parse_member_list, _xml

from . import point
from .group_placement import settle_zones
from .launch_template_versions import find_template
from .query import nested
from .scaling_groups import abandoned, find_instance, gone, in_service, reconcile, terminate

PROCESSES = (
    "Launch",
    "Terminate",
    "AddToLoadBalancer",
    "AlarmNotification",
    "AZRebalance",
    "HealthCheck",
    "InstanceRefresh",
    "ReplaceUnhealthy",
    "ScheduledActions",
)


def install():
    actions = point.original(autoscaling, "_ACTION_MAP")
    create = point.original(actions, "CreateAutoScalingGroup", ("p",))
    update = point.original(actions, "UpdateAutoScalingGroup", ("p",))
    delete = point.original(actions, "DeleteAutoScalingGroup", ("p",))
    point.replace(actions, "CreateAutoScalingGroup", lambda p: _create(create, p))
    point.replace(actions, "UpdateAutoScalingGroup", lambda p: _update(update, p))
    point.replace(actions, "DeleteAutoScalingGroup", lambda p: _delete(delete, p))
    point.replace(actions, "SetDesiredCapacity", _set_desired_capacity, ("p",))
    point.replace(actions, "CompleteLifecycleAction", _complete_lifecycle_action, ("p",))
    point.add(actions, "TerminateInstanceInAutoScalingGroup", _terminate_instance)
    point.add(actions, "SetInstanceHealth", _set_instance_health)
    point.add(actions, "SetInstanceProtection", _set_instance_protection)
    point.add(actions, "SuspendProcesses", _suspend)
    point.add(actions, "ResumeProcesses", _resume)


def apply_settings(group, settings):
    """Settings that the emulator drops, by the names of the API and of CloudFormation (the same)."""
    if settings.get("MixedInstancesPolicy"):
        group["MixedInstancesPolicy"] = settings["MixedInstancesPolicy"]
    if settings.get("NewInstancesProtectedFromScaleIn") not in (None, ""):
        protected = str(settings["NewInstancesProtectedFromScaleIn"]).lower() == "true"
        group["NewInstancesProtectedFromScaleIn"] = protected
    spec = settings.get("LaunchTemplate")
    if spec:
        template = find_template(spec.get("LaunchTemplateId")) or find_template(spec.get("LaunchTemplateName"))
        if template:
            group["LaunchTemplate"] = {
                "LaunchTemplateId": template["LaunchTemplateId"],
                "LaunchTemplateName": template["LaunchTemplateName"],
                "Version": str(spec.get("Version") or "$Default"),
            }
    settle_zones(group)


def _create(create, p):
    # Created empty, so that no instance is launched before every setting is in place.
    answer = create({**p, "DesiredCapacity": "0"})
    group = autoscaling._asgs.get(_p(p, "AutoScalingGroupName"))
    if answer[0] == 200:
        apply_settings(group, nested(p))
        group["DesiredCapacity"] = int(_p(p, "DesiredCapacity") or group["MinSize"])
        reconcile(group)
    return answer


def _update(update, p):
    group = autoscaling._asgs.get(_p(p, "AutoScalingGroupName"))
    if group:
        apply_settings(group, nested(p))
    answer = update(p)
    if group:
        settle_zones(group)
        group["DesiredCapacity"] = min(max(group["DesiredCapacity"], group["MinSize"]), group["MaxSize"])
        reconcile(group)
    return answer


def _delete(delete, p):
    group = autoscaling._asgs.get(_p(p, "AutoScalingGroupName"))
    if group and group["Instances"]:
        if _p(p, "ForceDelete") != "true":
            return _error("ResourceInUse", "You cannot delete an AutoScalingGroup while there are instances in it.")
        empty(group)
    return delete(p)


def empty(group):
    """Ends every instance of a group that is being deleted."""
    group["DesiredCapacity"] = 0
    for instance in list(group["Instances"]):
        gone(group, instance)


def _set_desired_capacity(p):
    group, error = _group(p)
    if error:
        return error
    desired = int(_p(p, "DesiredCapacity") or -1)
    if desired > group["MaxSize"]:
        return _error("ValidationError", f"New SetDesiredCapacity value {desired} is above max value {group['MaxSize']} for the AutoScalingGroup.")
    if desired < group["MinSize"]:
        return _error("ValidationError", f"New SetDesiredCapacity value {desired} is below min value {group['MinSize']} for the AutoScalingGroup.")
    group["DesiredCapacity"] = desired
    reconcile(group)
    return _xml(200, "SetDesiredCapacityResponse", "")


def _terminate_instance(p):
    group, instance = find_instance(_p(p, "InstanceId"))
    if group is None:
        return _error("ValidationError", f"Instance Id not found - No managed instance found for instance ID: {_p(p, 'InstanceId')}")
    if _p(p, "ShouldDecrementDesiredCapacity") == "true":
        if group["DesiredCapacity"] - 1 < group["MinSize"]:
            return _error("ValidationError", "Currently, desiredSize equals minSize. Terminating instance without replacement will violate group's min size constraint.")
        group["DesiredCapacity"] -= 1
    terminate(group, instance)
    reconcile(group)
    activity = {
        "ActivityId": str(uuid.uuid4()),
        "AutoScalingGroupName": group["AutoScalingGroupName"],
        "Description": f"Terminating EC2 instance: {instance['InstanceId']}",
        "Cause": "user request",
        "StartTime": autoscaling.now_iso(),
        "StatusCode": "InProgress",
        "Progress": 0,
    }
    inner = autoscaling._member_xml({"Activity": activity})
    return _result("TerminateInstanceInAutoScalingGroup", inner)


def _complete_lifecycle_action(p):
    group, error = _group(p)
    if error:
        return error
    hook, wanted, token = _p(p, "LifecycleHookName"), _p(p, "InstanceId"), _p(p, "LifecycleActionToken")
    instance = next(
        (i for i in group["Instances"] if i["InstanceId"] == wanted or (token and i.get("_token") == token)), None
    )
    if instance is None or hook not in instance.get("_waits_for", []):
        return _error("ValidationError", f"No active Lifecycle Action found with instance ID {wanted or token}")
    instance["_waits_for"].remove(hook)
    given_up = _p(p, "LifecycleActionResult") == "ABANDON"
    if instance["LifecycleState"] == "Pending:Wait":
        if given_up:
            abandoned(group, instance)
            reconcile(group)
        elif not instance["_waits_for"]:
            in_service(group, instance)
    elif given_up or not instance["_waits_for"]:
        gone(group, instance)
        reconcile(group)
    return _result("CompleteLifecycleAction")


def _set_instance_health(p):
    group, instance = find_instance(_p(p, "InstanceId"))
    if group is None:
        return _error("ValidationError", f"Instance Id not found - No managed instance found for instance ID: {_p(p, 'InstanceId')}")
    instance["HealthStatus"] = _p(p, "HealthStatus")
    reconcile(group)
    return _xml(200, "SetInstanceHealthResponse", "")


def _set_instance_protection(p):
    group, error = _group(p)
    if error:
        return error
    wanted = _parse_member_list(p, "InstanceIds")
    for instance in group["Instances"]:
        if instance["InstanceId"] in wanted:
            instance["ProtectedFromScaleIn"] = _p(p, "ProtectedFromScaleIn") == "true"
    return _result("SetInstanceProtection")


def _suspend(p):
    group, error = _group(p)
    if error:
        return error
    processes = _parse_member_list(p, "ScalingProcesses") or PROCESSES
    unknown = [name for name in processes if name not in PROCESSES]
    if unknown:
        return _error("ValidationError", f"{unknown} is not a supported process type.")
    group["SuspendedProcesses"] = sorted({*group.get("SuspendedProcesses", []), *processes})
    return _xml(200, "SuspendProcessesResponse", "")


def _resume(p):
    group, error = _group(p)
    if error:
        return error
    processes = _parse_member_list(p, "ScalingProcesses") or PROCESSES
    group["SuspendedProcesses"] = [n for n in group.get("SuspendedProcesses", []) if n not in processes]
    reconcile(group)
    return _xml(200, "ResumeProcessesResponse", "")


def _group(p):
    name = _p(p, "AutoScalingGroupName")
    group = autoscaling._asgs.get(name)
    return group, None if group else _error("ValidationError", f"AutoScalingGroup name not found - AutoScalingGroup '{name}' not found")


def _result(action, inner=""):
    return _xml(200, f"{action}Response", f"<{action}Result>{inner}</{action}Result>")
