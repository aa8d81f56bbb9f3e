"""CloudFormation's Object Lock properties of a bucket take effect; the emulator drops them."""

from ministack.services import s3
from ministack.services.cloudformation import provisioners

from . import point


def install():
    handlers = point.original(provisioners._RESOURCE_HANDLERS, "AWS::S3::Bucket")
    locks = point.original(s3, "_bucket_object_lock")
    create_bucket = point.original(handlers, "create", ("logical_id", "props"))

    def create(logical_id, props, stack_name):
        result = create_bucket(logical_id, props, stack_name)
        configuration = props.get("ObjectLockConfiguration") or {}
        if configuration or str(props.get("ObjectLockEnabled")).lower() == "true":
            locks[result[0]] = {"enabled": True, "default_retention": _retention(configuration)}
        return result

    point.replace(handlers, "create", create)


def _retention(configuration):
    rule = (configuration.get("Rule") or {}).get("DefaultRetention") or {}
    return {key: value if key == "Mode" else int(value) for key, value in rule.items()} or None
