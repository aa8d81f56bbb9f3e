"""Auto Scaling groups that launch and terminate EC2 instances, wait for lifecycle hooks, replace what was
lost, tell what happens as `aws.autoscaling` events and scaling activities, and fail to launch when a test
says so (`POST /_testbed/faults` with service `autoscaling`, action `Launch`). The emulator only counts."""

import contextvars
import json
import os
import threading
import time
import uuid

from ministack.services import autoscaling, ec2

from . import faults, point, scaling_activities
from .aws_events import emit
from .group_placement import (
    emptiest_zone,
    instance_tags,
    next_address,
    override_type,
    staying,
    subnet_in,
    template_of,
    template_spec,
)
from .instance_types import TYPES

_lock = threading.RLock()


def install():
    point.replace(autoscaling, "_reconcile_instances", reconcile, ("asg",))
    point.original(ec2, "_launch_instances_internal", ("image_id", "instance_type", "subnet_id", "count"))
    point.original(ec2, "_subnets")
    terminate_instances = point.original(ec2._ACTION_MAP, "TerminateInstances", ("p",))

    def terminate_and_replace(p):
        answer = terminate_instances(p)
        for group in list(autoscaling._asgs.values()):
            reconcile(group)
        return answer

    point.replace(ec2._ACTION_MAP, "TerminateInstances", terminate_and_replace)


def find_instance(instance_id):
    """The group and the group's record of an instance, or two `None`."""
    for group in autoscaling._asgs.values():
        for instance in group["Instances"]:
            if instance["InstanceId"] == instance_id:
                return group, instance
    return None, None


def suspended(group, process):
    return process in group.get("SuspendedProcesses", [])


def reconcile(asg):
    """Brings a group's instances to its desired capacity, as far as suspended processes and faults allow."""
    with _lock:
        for instance in staying(asg):
            if _lost(instance) and not suspended(asg, "ReplaceUnhealthy"):
                terminate(asg, instance, "an instance was taken out of service in response to a health check")
        if not suspended(asg, "Terminate"):
            while len(staying(asg)) > asg["DesiredCapacity"]:
                victim = _scale_in_candidate(asg)
                if victim is None:
                    break
                terminate(asg, victim, "the desired capacity shrank")
        while len(staying(asg)) < asg["DesiredCapacity"] and not suspended(asg, "Launch"):
            fault = faults.take("autoscaling", "Launch", group=asg["AutoScalingGroupName"])
            if fault:
                _fail_launch(asg, fault)
                break
            _launch(asg)


def terminate(group, instance, cause="user request"):
    """Ends an instance, after its termination hooks where the group has any."""
    if instance["LifecycleState"].startswith("Terminating"):
        return
    hooks = _hooks(group, "EC2_INSTANCE_TERMINATING")
    if hooks:
        instance["LifecycleState"] = "Terminating:Wait"
        _wait_for(group, instance, hooks, "EC2 Instance-terminate Lifecycle Action", "AutoScalingGroup", "EC2")
    else:
        gone(group, instance, cause)


def gone(group, instance, cause="user request"):
    """The end of an instance: out of the group, terminated in EC2, told to the world."""
    with _lock:
        if instance in group["Instances"]:
            group["Instances"].remove(instance)
        in_ec2 = ec2._instances.get(instance["InstanceId"])
        if in_ec2 and in_ec2["State"]["Name"] != "terminated":
            in_ec2["State"] = {"Code": 48, "Name": "terminated"}
            in_ec2["_terminated_at"] = time.time()
        activity = scaling_activities.begin(group, f"Terminating EC2 instance: {instance['InstanceId']}", cause)
        scaling_activities.end(activity)
        _tell(group, "EC2 Instance Terminate Successful", _detail(group, instance, StatusCode="InProgress", Cause=cause))


def in_service(group, instance):
    instance["LifecycleState"] = "InService"
    scaling_activities.end(instance["_launch"])
    _tell(group, "EC2 Instance Launch Successful", _detail(group, instance, StatusCode="InProgress"))


def abandoned(group, instance):
    """A launch that its hook gave up: told as unsuccessful, and its instance ends."""
    message = (
        "Instance failed to complete user's Lifecycle Action: Lifecycle Action with token "
        f"{instance['_token']} was abandoned: Lifecycle Action Completed with ABANDON Result"
    )
    _tell_unsuccessful(group, scaling_activities.end(instance["_launch"], "Cancelled", message), instance)
    gone(group, instance)


def _launch(group):
    template, number = template_of(group)
    instance_type = override_type(group) or template.get("InstanceType") or "t3.medium"
    zone = emptiest_zone(group)
    subnet = subnet_in(group, zone)
    in_ec2 = ec2._launch_instances_internal(
        image_id=template.get("ImageId") or "ami-00000000",
        instance_type=instance_type,
        subnet_id=subnet,
        count=1,
        user_data=template.get("UserData", ""),
        requested_private_ip=next_address(),
    )[0]
    in_ec2["Placement"]["AvailabilityZone"] = zone
    in_ec2["Architecture"] = TYPES.get(instance_type, {}).get("architecture", "x86_64")
    ec2._tags[in_ec2["InstanceId"]] = instance_tags(group, template)
    used = {**template_spec(group), "Version": str(number)} if number else {}
    instance = {
        "InstanceId": in_ec2["InstanceId"],
        "InstanceType": instance_type,
        "LifecycleState": "Pending",
        "HealthStatus": "Healthy",
        "AvailabilityZone": zone,
        "ProtectedFromScaleIn": group["NewInstancesProtectedFromScaleIn"],
        "LaunchTemplate": used,
        "LaunchConfigurationName": group.get("LaunchConfigurationName", ""),
    }
    description = f"Launching a new EC2 instance: {instance['InstanceId']}"
    instance["_launch"] = scaling_activities.begin(group, description, "the desired capacity grew", zone, subnet)
    group["Instances"].append(instance)
    hooks = _hooks(group, "EC2_INSTANCE_LAUNCHING")
    if hooks:
        instance["_launch"]["StatusCode"] = "MidLifecycleAction"
        instance["LifecycleState"] = "Pending:Wait"
        _wait_for(group, instance, hooks, "EC2 Instance-launch Lifecycle Action", "EC2", "AutoScalingGroup")
    else:
        in_service(group, instance)


def _fail_launch(group, fault):
    """As AWS: the desired capacity stays, the failure is told, and the group tries again after a while."""
    zone = emptiest_zone(group)
    subnet = subnet_in(group, zone)
    template, _ = template_of(group)
    instance_type = override_type(group) or template.get("InstanceType") or "t3.medium"
    message = fault.get("message") or scaling_activities.failure_message(fault["code"], instance_type, zone)
    activity = scaling_activities.begin(group, "Launching a new EC2 instance", "the desired capacity grew", zone, subnet)
    _tell_unsuccessful(group, scaling_activities.end(activity, "Failed", message))
    if group.get("_retries"):
        return
    group["_retries"] = True
    context = contextvars.copy_context()
    seconds = float(os.environ.get("TESTBED_LAUNCH_RETRY_SECONDS", "2"))
    timer = threading.Timer(seconds, lambda: context.run(_retry, group["AutoScalingGroupName"]))
    timer.daemon = True
    timer.start()


def _retry(name):
    group = autoscaling._asgs.get(name)
    if group:
        group["_retries"] = False
        reconcile(group)


def _lost(instance):
    in_ec2 = ec2._instances.get(instance["InstanceId"])
    running = in_ec2 is not None and in_ec2["State"]["Name"] in ("pending", "running")
    return not running or instance["HealthStatus"] == "Unhealthy"


def _scale_in_candidate(group):
    """The oldest unprotected instance of the fullest zone; `None` where all are protected."""
    free = [i for i in staying(group) if not i["ProtectedFromScaleIn"]]
    count = lambda zone: sum(i["AvailabilityZone"] == zone for i in free)  # noqa: E731
    return max(free, key=lambda i: count(i["AvailabilityZone"]), default=None)


def _hooks(group, transition):
    return [
        hook
        for hook in autoscaling._hooks.values()
        if hook["AutoScalingGroupName"] == group["AutoScalingGroupName"]
        and hook["LifecycleTransition"] == f"autoscaling:{transition}"
    ]


def _wait_for(group, instance, hooks, detail_type, origin, destination):
    instance["_token"] = str(uuid.uuid4())
    instance["_waits_for"] = [hook["LifecycleHookName"] for hook in hooks]
    for hook in hooks:
        detail = _detail(
            group,
            instance,
            LifecycleHookName=hook["LifecycleHookName"],
            LifecycleTransition=hook["LifecycleTransition"],
            LifecycleActionToken=instance["_token"],
            NotificationMetadata=hook.get("NotificationMetadata", ""),
            Origin=origin,
            Destination=destination,
        )
        _tell(group, detail_type, detail)


def _detail(group, instance, **more):
    return {
        "AutoScalingGroupName": group["AutoScalingGroupName"],
        "EC2InstanceId": instance["InstanceId"],
        "Details": {"Availability Zone": instance["AvailabilityZone"]},
        **more,
    }


def _tell(group, detail_type, detail):
    emit("aws.autoscaling", detail_type, detail, [group["AutoScalingGroupARN"]])


def _tell_unsuccessful(group, activity, instance=None):
    detail = {
        "StatusCode": "Failed",
        "AutoScalingGroupName": group["AutoScalingGroupName"],
        "ActivityId": activity["ActivityId"],
        "Details": json.loads(activity["Details"]),
        "RequestId": activity["ActivityId"],
        "StatusMessage": activity["StatusMessage"],
        "StartTime": activity["StartTime"],
        "EndTime": activity["EndTime"],
        "EC2InstanceId": instance["InstanceId"] if instance else "",
        "Cause": activity["Cause"],
        "Origin": "EC2",
        "Destination": "AutoScalingGroup",
    }
    _tell(group, "EC2 Instance Launch Unsuccessful", detail)
