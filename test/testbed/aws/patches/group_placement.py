"""Where a group launches its next instance, and as what: zone, subnet, address, launch template, tags."""

import itertools

from ministack.services import ec2

from .launch_template_versions import find_template, find_version

_addresses = itertools.count(1)


def staying(group):
    return [i for i in group["Instances"] if not i["LifecycleState"].startswith("Terminating")]


def settle_zones(group):
    """A group's zones are those of its subnets, where it names subnets."""
    subnets = _subnets_of(group)
    if subnets:
        group["AvailabilityZones"] = sorted({ec2._subnets[s]["AvailabilityZone"] for s in subnets})


def emptiest_zone(group):
    zones = group["AvailabilityZones"]
    count = lambda zone: sum(i["AvailabilityZone"] == zone for i in staying(group))  # noqa: E731
    return min(zones, key=count)


def _subnets_of(group):
    names = (group.get("VPCZoneIdentifier") or "").split(",")
    return [name.strip() for name in names if name.strip() in ec2._subnets]


def subnet_in(group, zone):
    candidates = _subnets_of(group) or list(ec2._subnets)
    in_zone = [s for s in candidates if ec2._subnets[s]["AvailabilityZone"] == zone]
    return (in_zone or candidates)[0]


def next_address():
    """Private addresses are never given twice, so that a name stands for one instance."""
    number = 16 * 256 + next(_addresses)
    return f"10.0.{number // 256 % 256}.{number % 256}"


def template_spec(group):
    policy = group.get("MixedInstancesPolicy") or {}
    return (policy.get("LaunchTemplate") or {}).get("LaunchTemplateSpecification") or group.get("LaunchTemplate") or {}


def template_of(group):
    spec = template_spec(group)
    template = find_template(spec.get("LaunchTemplateId")) or find_template(spec.get("LaunchTemplateName"))
    version = find_version(template, str(spec.get("Version") or "$Default")) if template else None
    return (version["LaunchTemplateData"], int(version["VersionNumber"])) if version else ({}, None)


def override_type(group):
    overrides = ((group.get("MixedInstancesPolicy") or {}).get("LaunchTemplate") or {}).get("Overrides") or []
    return next((o["InstanceType"] for o in overrides if o.get("InstanceType")), None)


def instance_tags(group, template):
    tags = [{"Key": "aws:autoscaling:groupName", "Value": group["AutoScalingGroupName"]}]
    tags += [{"Key": t["Key"], "Value": t["Value"]} for t in group["Tags"] if t.get("PropagateAtLaunch")]
    for specification in template.get("TagSpecifications") or []:
        if specification.get("ResourceType") == "instance":
            tags += specification.get("Tags", [])
    return tags
