"""Auto Scaling groups of CloudFormation stacks behave like those made by the API: they launch, keep the
settings that the emulator drops, know their inline lifecycle hooks, and end their instances on delete."""

from ministack.services import autoscaling
from ministack.services.cloudformation import provisioners

from . import point
from .group_api import apply_settings, empty
from .scaling_groups import reconcile


def install():
    handlers = point.original(provisioners._RESOURCE_HANDLERS, "AWS::AutoScaling::AutoScalingGroup")
    create = point.original(handlers, "create", ("logical_id", "props", "stack_name"))
    update = point.original(handlers, "update", ("physical_id", "old_props", "new_props"))
    delete = point.original(handlers, "delete", ("physical_id", "props"))
    point.original(autoscaling, "_hook_record", ("asg_name", "hook_name", "fields"))

    def create_and_launch(logical_id, props, stack_name):
        result = create(logical_id, props, stack_name)
        _settle(result[0], props)
        return result

    def update_and_settle(physical_id, old_props, new_props, stack_name, logical_id=None):
        result = update(physical_id, old_props, new_props, stack_name, logical_id)
        _settle(result[0], new_props)
        return result

    def empty_and_delete(physical_id, props):
        group = autoscaling._asgs.get(physical_id)
        if group:
            empty(group)
        return delete(physical_id, props)

    point.replace(handlers, "create", create_and_launch)
    point.replace(handlers, "update", update_and_settle)
    point.replace(handlers, "delete", empty_and_delete)


def _settle(name, props):
    group = autoscaling._asgs[name]
    apply_settings(group, props)
    for hook in props.get("LifecycleHookSpecificationList") or []:
        record = autoscaling._hook_record(name, hook["LifecycleHookName"], hook)
        autoscaling._hooks[f"{name}/{hook['LifecycleHookName']}"] = record
    reconcile(group)
