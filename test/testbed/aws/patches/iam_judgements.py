"""What IAM was asked for each recorded call of a role: the action, the resource, and the values of the condition
keys that the role's policies name. A test holds them against the policies; the emulator itself only says yes or no."""

from contextvars import ContextVar

from ministack.core import iam_evaluator

from . import point

_judged = ContextVar("what IAM was asked during the call that is being answered", default=None)


def begin():
    """The list that fills while the current call is answered."""
    judged = []
    _judged.set(judged)
    return judged


def install():
    evaluate = point.original(iam_evaluator, "evaluate", ("ctx", "policies"))

    def evaluate_and_note(ctx, policies, *limits):
        judged = _judged.get()
        if judged is not None and ctx.principal_type == "AssumedRole":
            _note(judged, ctx, policies)
        return evaluate(ctx, policies, *limits)

    point.replace(iam_evaluator, "evaluate", evaluate_and_note)


def _note(judged, ctx, policies):
    # A resource's own policy is asked about the same after the role's.
    if any(one["action"] == ctx.action and one["resource"] == ctx.resource_arn for one in judged):
        return
    keys = {
        key
        for statements in policies
        for statement in statements
        for block in statement.conditions.values()
        for key in block
    }
    values = {key: iam_evaluator._resolve_condition_key(key, ctx) for key in sorted(keys)}
    context = {key: value for key, value in values.items() if value is not None}
    judged.append({"action": ctx.action, "resource": ctx.resource_arn, "context": context})
