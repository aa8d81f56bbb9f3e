"""The condition key `aws:PrincipalArn` of a role's session is the ARN of the role, not that of the session, which the
emulator compares. Source: "AWS global condition context keys", IAM user guide."""

from ministack.core import iam_evaluator
from ministack.services import iam

from . import point


def install():
    resolve = point.original(iam_evaluator, "_resolve_condition_key", ("key", "ctx"))
    point.original(iam, "_roles")

    def resolve_with_role(key, ctx):
        return _role_of(ctx.principal_arn) if key.lower() == "aws:principalarn" else resolve(key, ctx)

    point.replace(iam_evaluator, "_resolve_condition_key", resolve_with_role)


def _role_of(arn):
    if ":assumed-role/" not in arn:
        return arn
    account, name = arn.split(":")[4], arn.split(":assumed-role/", 1)[1].split("/", 1)[0]
    role = iam._roles.get_scoped(account, None, name)
    return role["Arn"] if role else f"arn:aws:iam::{account}:role/{name}"
