"""Policies of event buses in CloudFormation stacks (`AWS::Events::EventBusPolicy` with a `Statement`), which the
emulator refuses a template for. The bus keeps the statement as it keeps one of PutPermission."""

from ministack.services import eventbridge
from ministack.services.cloudformation import provisioners

from . import point


def install():
    point.original(eventbridge, "_event_bus_policies")
    point.add(provisioners._RESOURCE_HANDLERS, "AWS::Events::EventBusPolicy", {"create": _create, "delete": _delete})


def _create(logical_id, props, stack_name):
    bus = props.get("EventBusName", "default")
    policies = eventbridge._event_bus_policies
    if bus not in policies:
        policies[bus] = {"Version": "2012-10-17", "Statement": []}
    policies[bus]["Statement"].append({"Sid": props["StatementId"], **props["Statement"]})
    return props["StatementId"], {}


def _delete(physical_id, props):
    policy = eventbridge._event_bus_policies.get(props.get("EventBusName", "default"))
    if policy:
        policy["Statement"] = [one for one in policy["Statement"] if one.get("Sid") != physical_id]
