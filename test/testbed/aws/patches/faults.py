"""Faults that a test has asked for and that have not happened yet."""

import threading

_lock = threading.Lock()
_waiting = []


def add(fault):
    """`service`, `action`, `code`, `times`; for a failing launch also `group` (absent: any group)."""
    with _lock:
        _waiting.append({"times": 1, **fault})


def waiting():
    with _lock:
        return [dict(fault) for fault in _waiting]


def clear():
    with _lock:
        _waiting.clear()


def take(service, action, group=None):
    """Uses up one fault meant for this call and returns it; `None` where there is none."""
    with _lock:
        for fault in _waiting:
            meant = fault["service"] == service and fault["action"] in (action, "*")
            if meant and fault.get("group") in (None, group):
                fault["times"] -= 1
                if fault["times"] <= 0:
                    _waiting.remove(fault)
                return dict(fault)
    return None
