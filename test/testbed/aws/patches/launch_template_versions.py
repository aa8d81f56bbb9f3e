"""DescribeLaunchTemplateVersions without an id: as on AWS, the `$Latest` or `$Default` versions (or both)
of every launch template, in pages. The emulator only answers for one template at a time."""

from ministack.services import ec2

from . import point

_PAGE = 200


def install():
    global _describe_one
    _describe_one = point.replace(ec2._ACTION_MAP, "DescribeLaunchTemplateVersions", describe, ("p",))
    point.original(ec2, "_lt_version_xml", ("ver",))


def find_template(id_or_name):
    """A launch template by either of its names; `None` where there is none."""
    if not id_or_name:
        return None
    found = ec2._launch_templates.get(id_or_name)
    return found or next(
        (t for t in ec2._launch_templates.values() if t["LaunchTemplateName"] == id_or_name), None
    )


def find_version(template, version):
    """One version of a template by number, `$Latest` or `$Default` (also where none is named)."""
    named = {"$Latest": template["LatestVersionNumber"], "$Default": template["DefaultVersionNumber"]}
    number = int(named.get(version or "$Default", version))
    return next((v for v in template["Versions"] if int(v["VersionNumber"]) == number), None)


def describe(p):
    if ec2._p(p, "LaunchTemplateId") or ec2._p(p, "LaunchTemplateName"):
        return _describe_one(p)
    asked = ec2._parse_member_list(p, "LaunchTemplateVersion")
    if not asked or any(version not in ("$Latest", "$Default") for version in asked):
        message = "Without a launch template, only $Latest and $Default may be asked for"
        return ec2._error("InvalidParameterValue", message, 400)
    found = {}
    for template in ec2._launch_templates.values():
        for name in asked:
            version = find_version(template, name)
            found[(template["LaunchTemplateId"], version["VersionNumber"])] = version
    versions = list(found.values())
    start = int(ec2._p(p, "NextToken") or 0)
    end = start + int(ec2._p(p, "MaxResults") or _PAGE)
    token = f"<nextToken>{end}</nextToken>" if end < len(versions) else ""
    items = "".join(ec2._lt_version_xml(version) for version in versions[start:end])
    return ec2._xml(
        200,
        "DescribeLaunchTemplateVersionsResponse",
        f"<launchTemplateVersionSet>{items}</launchTemplateVersionSet>{token}",
    )
