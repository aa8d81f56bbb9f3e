"""IAM conditions on the tags of an Auto Scaling group (`aws:ResourceTag/...`, `autoscaling:ResourceTag/...`)
and resources that name the group's full ARN are evaluated. The emulator knows neither."""

from ministack.core import iam_actions, iam_evaluator
from ministack.services import autoscaling

from . import point
from .scaling_groups import find_instance

_PREFIXES = ("aws:resourcetag/", "autoscaling:resourcetag/")


def install():
    arn_of_request = point.original(iam_actions, "extract_resource_arn", ("service", "method", "path", "headers", "body", "query_params"))
    resolve = point.original(iam_evaluator, "_resolve_condition_key", ("key", "ctx"))

    def extract_resource_arn(service, method, path, headers, body, query_params, *rest):
        arn = arn_of_request(service, method, path, headers, body, query_params, *rest)
        group = _group_of(arn)
        if group is None and service == "autoscaling":
            group, _ = find_instance(autoscaling._p(query_params, "InstanceId"))
        return group["AutoScalingGroupARN"] if group else arn

    def resolve_with_group_tags(key, ctx):
        prefix = next((p for p in _PREFIXES if key.lower().startswith(p)), None)
        group = _group_of(ctx.resource_arn) if prefix else None
        if group is None:
            return resolve(key, ctx)
        wanted = key.lower()[len(prefix) :]
        return next((tag["Value"] for tag in group["Tags"] if tag["Key"].lower() == wanted), None)

    point.replace(iam_actions, "extract_resource_arn", extract_resource_arn)
    point.replace(iam_evaluator, "_resolve_condition_key", resolve_with_group_tags)


def _group_of(arn):
    if not arn.startswith("arn:aws:autoscaling:") or ":autoScalingGroupName/" not in arn:
        return None
    return autoscaling._asgs.get(arn.rsplit(":autoScalingGroupName/", 1)[1])
