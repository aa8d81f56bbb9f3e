"""Replacing private parts of the emulator, loudly: a part that is not there stops the start."""

import inspect


class PatchPointMissing(RuntimeError):
    pass


def original(holder, name, parameters=None):
    """The part `name` of a module or dictionary, checked for the parameters that the patch relies on."""
    missing = object()
    found = holder.get(name, missing) if isinstance(holder, dict) else getattr(holder, name, missing)
    where = f"{getattr(holder, '__name__', 'action table')}: {name}"
    if found is missing:
        raise PatchPointMissing(f"the emulator has no {where} any more; see requirements.txt for the version this was written for")
    if parameters is not None:
        actual = tuple(inspect.signature(found).parameters)
        if actual[: len(parameters)] != tuple(parameters):
            raise PatchPointMissing(f"{where} takes {actual}, not {tuple(parameters)}")
    return found


def replace(holder, name, new, parameters=None):
    """Puts `new` where `name` was and returns what was there."""
    old = original(holder, name, parameters)
    if isinstance(holder, dict):
        holder[name] = new
    else:
        setattr(holder, name, new)
    return old


def add(table, name, new):
    """Adds an action that the emulator does not know at all."""
    if name in table:
        raise PatchPointMissing(f"the emulator has an action {name} of its own now: replace it or drop this one")
    table[name] = new
