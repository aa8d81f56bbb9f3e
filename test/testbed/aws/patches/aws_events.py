"""AWS services report what happens on the default bus. The emulator refuses `aws.*` sources from callers,
as AWS does; the services simulated here send theirs from within, and POST /_testbed/events lets a test
send one (a Spot warning, a Health event) that nothing here would ever produce."""

import json

from ministack.services import eventbridge

from . import point


def install():
    point.original(eventbridge, "_put_events", ("data", "allow_aws_source"))


def emit(source, detail_type, detail, resources=()):
    """Puts one event on the default bus of the account and region at hand."""
    return eventbridge._put_events(
        {
            "Entries": [
                {
                    "Source": source,
                    "DetailType": detail_type,
                    "Detail": json.dumps(detail),
                    "Resources": list(resources),
                }
            ]
        },
        allow_aws_source=True,
    )
