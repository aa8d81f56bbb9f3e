"""Starts the AWS emulator (ministack, pinned in requirements.txt) with the parts made real that it only
stubs. Each module under patches/ changes one thing and says which; `install` fails at once, naming the
patch point, when the emulator's own code has moved.

Settings come from the environment, beside ministack's own (GATEWAY_PORT, BIND_HOST, AUTH, ...):
TESTBED_SCHEDULE_SPEED       how many times faster than the clock rate() rules run (default 1)
TESTBED_LAUNCH_RETRY_SECONDS after a failed launch, when a group tries again (default 2)
"""

from ministack import app

from patches import (
    aws_events,
    batches_in_iam,
    bus_policies,
    control,
    function_https,
    group_api,
    group_description,
    group_stacks,
    group_tags_in_iam,
    iam_judgements,
    instance_types,
    launch_template_versions,
    object_lock,
    principal_arn_in_iam,
    put_events_in_iam,
    scaling_activities,
    scaling_groups,
    schedules,
    secure_transport,
)

PATCHES = (
    aws_events,
    batches_in_iam,
    bus_policies,
    instance_types,
    launch_template_versions,
    scaling_activities,
    scaling_groups,
    group_api,
    group_description,
    group_stacks,
    group_tags_in_iam,
    iam_judgements,
    object_lock,
    principal_arn_in_iam,
    put_events_in_iam,
    schedules,
    secure_transport,
    function_https,
    control,
)

if __name__ == "__main__":
    for patch in PATCHES:
        patch.install()
    app.main()
