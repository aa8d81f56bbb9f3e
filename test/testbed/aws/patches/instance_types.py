"""DescribeInstanceTypes with true figures (instance-types.json names their source) instead of invented
ones: an unknown type is refused as by EC2, filters on instance-type work, and long answers are paged."""

import json
from pathlib import Path

from ministack.services import ec2

from . import point

_FILE = Path(__file__).resolve().parent.parent / "instance-types.json"
TYPES = {entry["name"]: entry for entry in json.loads(_FILE.read_text())["types"]}
_PAGE = 100


def install():
    point.replace(ec2._ACTION_MAP, "DescribeInstanceTypes", describe, ("p",))
    point.add(ec2._ACTION_MAP, "DescribeInstanceTypeOfferings", describe_offerings)
    point.add(ec2._ACTION_MAP, "GetInstanceTypesFromInstanceRequirements", from_requirements)


def _selected(p):
    """The types asked for, or the error that EC2 gives for an unknown one."""
    asked = ec2._parse_member_list(p, "InstanceType")
    unknown = [name for name in asked if name not in TYPES]
    if unknown:
        message = f"The following supplied instance types do not exist: [{', '.join(unknown)}]"
        return None, ec2._error("InvalidInstanceType", message, 400)
    patterns = ec2._parse_filters(p).get("instance-type")
    names = [
        name
        for name in sorted(asked or TYPES)
        if patterns is None or any(ec2._glob_match(pattern, name) for pattern in patterns)
    ]
    return [TYPES[name] for name in names], None


def describe(p):
    types, error = _selected(p)
    if error:
        return error
    start = int(ec2._p(p, "NextToken") or 0)
    end = start + int(ec2._p(p, "MaxResults") or _PAGE)
    token = f"<nextToken>{end}</nextToken>" if end < len(types) else ""
    items = "".join(_item(entry) for entry in types[start:end])
    return ec2._xml(200, "DescribeInstanceTypesResponse", f"<instanceTypeSet>{items}</instanceTypeSet>{token}")


def from_requirements(p):
    """By vCPUs, memory, names allowed or excluded, and architecture; other requirements are refused, not overlooked."""
    wanted = _requirements(p)
    known = {"VCpuCount", "MemoryMiB", "AllowedInstanceType", "ExcludedInstanceType"}
    if not {"VCpuCount", "MemoryMiB"} <= set(wanted):
        return ec2._error("MissingParameter", "VCpuCount and MemoryMiB must be given", 400)
    if set(wanted) - known:
        return ec2._error("InvalidParameterValue", f"the emulator does not know {sorted(set(wanted) - known)}", 400)
    architectures = ec2._parse_member_list(p, "ArchitectureType")
    found = [
        name
        for name, entry in sorted(TYPES.items())
        if entry["architecture"] in architectures
        and _within(entry["vcpu"], wanted["VCpuCount"])
        and _within(entry["memoryMiB"], wanted["MemoryMiB"])
        and _any(name, wanted.get("AllowedInstanceType", {"1": "*"}))
        and not _any(name, wanted.get("ExcludedInstanceType", {}))
    ]
    items = "".join(f"<item><instanceType>{name}</instanceType></item>" for name in found)
    return ec2._xml(
        200, "GetInstanceTypesFromInstanceRequirementsResponse", f"<instanceTypeSet>{items}</instanceTypeSet>"
    )


def _requirements(p):
    """`InstanceRequirements.VCpuCount.Min=2` as `{"VCpuCount": {"Min": "2"}}`."""
    wanted = {}
    for name in p:
        if name.startswith("InstanceRequirements."):
            _, key, last = name.split(".", 2)
            wanted.setdefault(key, {})[last] = ec2._p(p, name)
    return wanted


def _within(value, bounds):
    return int(bounds.get("Min", 0)) <= value <= int(bounds.get("Max", value))


def _any(name, patterns):
    return any(ec2._glob_match(pattern, name) for pattern in patterns.values())


def describe_offerings(p):
    """Every type is offered in every zone of the region."""
    by_zone = ec2._p(p, "LocationType") == "availability-zone"
    region = ec2.get_region()
    places = [region + letter for letter in "abc"] if by_zone else [region]
    kind = "availability-zone" if by_zone else "region"
    filters = ec2._parse_filters(p)
    items = "".join(
        f"<item><instanceType>{name}</instanceType><locationType>{kind}</locationType><location>{place}</location></item>"
        for name in sorted(TYPES)
        for place in places
        if name in filters.get("instance-type", [name]) and place in filters.get("location", [place])
    )
    return ec2._xml(200, "DescribeInstanceTypeOfferingsResponse", f"<instanceTypeOfferingSet>{items}</instanceTypeOfferingSet>")


def _item(t):
    bare_metal = "true" if t["bareMetal"] else "false"
    hypervisor = f"<hypervisor>{t['hypervisor']}</hypervisor>" if t.get("hypervisor") else ""
    return (
        f"<item><instanceType>{t['name']}</instanceType><currentGeneration>true</currentGeneration>"
        f"<bareMetal>{bare_metal}</bareMetal>{hypervisor}"
        "<supportedUsageClasses><item>on-demand</item><item>spot</item></supportedUsageClasses>"
        "<supportedRootDeviceTypes><item>ebs</item></supportedRootDeviceTypes>"
        "<supportedVirtualizationTypes><item>hvm</item></supportedVirtualizationTypes>"
        f"<burstablePerformanceSupported>{'true' if t['burstable'] else 'false'}</burstablePerformanceSupported>"
        f"<processorInfo><supportedArchitectures><item>{t['architecture']}</item></supportedArchitectures></processorInfo>"
        f"<vCpuInfo><defaultVCpus>{t['vcpu']}</defaultVCpus><defaultCores>{t['cores']}</defaultCores>"
        f"<defaultThreadsPerCore>{t['vcpu'] // t['cores']}</defaultThreadsPerCore></vCpuInfo>"
        f"<memoryInfo><sizeInMiB>{t['memoryMiB']}</sizeInMiB></memoryInfo>"
        f"<networkInfo><maximumNetworkInterfaces>{t['maxNetworkInterfaces']}</maximumNetworkInterfaces>"
        f"<ipv4AddressesPerInterface>{t['ipv4PerInterface']}</ipv4AddressesPerInterface>"
        f"<ipv6AddressesPerInterface>{t['ipv6PerInterface']}</ipv6AddressesPerInterface>"
        "<ipv6Supported>true</ipv6Supported><enaSupport>required</enaSupport></networkInfo>"
        f"{_gpus(t.get('gpus'))}</item>"
    )


def _gpus(gpus):
    if not gpus:
        return ""
    items = "".join(
        f"<item><name>{g['name']}</name><manufacturer>{g['manufacturer']}</manufacturer><count>{g['count']}</count>"
        f"<memoryInfo><sizeInMiB>{g['memoryMiB']}</sizeInMiB></memoryInfo></item>"
        for g in gpus
    )
    total = sum(g["count"] * g["memoryMiB"] for g in gpus)
    return f"<gpuInfo><gpus>{items}</gpus><totalGpuMemoryInMiB>{total}</totalGpuMemoryInMiB></gpuInfo>"
