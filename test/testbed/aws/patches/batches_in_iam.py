"""IAM knows no batches of SQS: SendMessageBatch is allowed by `sqs:SendMessage`, and so are the others by their
single actions. The emulator asks for an action of the batch's name, which no policy on AWS could grant.
Source: "Amazon SQS API permissions: Actions and resource reference", Amazon SQS developer guide."""

from ministack.core import iam_evaluator

from . import point

_BATCHES = {f"sqs:{single}Batch": f"sqs:{single}" for single in ("SendMessage", "DeleteMessage", "ChangeMessageVisibility")}


def install():
    enforce = point.original(iam_evaluator, "enforce", ("access_key_id", "iam_action", "service", "region"))

    def enforce_single(access_key_id, iam_action, *rest, **named):
        return enforce(access_key_id, _BATCHES.get(iam_action, iam_action), *rest, **named)

    point.replace(iam_evaluator, "enforce", enforce_single)
