"""Scheduled rules are looked at every half second instead of every ten, and can run faster than the clock
(TESTBED_SCHEDULE_SPEED), so that a test need not wait a minute for a one-minute sweep."""

import os

from ministack.services import eventbridge, scheduler

from . import point


def install():
    point.replace(eventbridge, "_SCHEDULER_TICK_INTERVAL", 0.5)
    point.replace(scheduler, "_SCHEDULE_TICK_INTERVAL", 0.5)
    speed = float(os.environ.get("TESTBED_SCHEDULE_SPEED", "1"))
    seconds = point.original(eventbridge, "_parse_rate_seconds", ("expr",))

    def sooner(expr):
        interval = seconds(expr)
        return None if interval is None else interval / speed

    point.replace(eventbridge, "_parse_rate_seconds", sooner)
