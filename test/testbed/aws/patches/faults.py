"""Faults that a test has asked for and that have not happened yet."""

import threading

_lock = threading.Lock()
_waiting = []


def add(fault):
    """`service`, `action`, and any of: `times`, `skip`, `group` (of a launch), `resource`, `principal`."""
    with _lock:
        _waiting.append({"times": 1, "skip": 0, **fault})


def waiting():
    with _lock:
        return [dict(fault) for fault in _waiting]


def clear():
    with _lock:
        _waiting.clear()


def take(service, action, group=None, about="", principal=""):
    """
    Uses up one fault meant for this call and returns it; `None` where there is none. `about` is all that
    the call says: a fault's `resource` must stand in it.
    """
    with _lock:
        for fault in _waiting:
            meant = (
                fault["service"] == service
                and fault["action"] in (action, "*" if action != "Launch" else action)
                and fault.get("group") in (None, group)
                and (fault.get("resource") or "") in about
                and (fault.get("principal") or "") in principal
            )
            if not meant:
                continue
            if fault["skip"] > 0:
                fault["skip"] -= 1
                return None
            fault["times"] -= 1
            if fault["times"] <= 0:
                _waiting.remove(fault)
            return dict(fault)
    return None
