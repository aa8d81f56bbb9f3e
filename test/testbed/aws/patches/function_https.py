"""A function's HTTPS request to this machine stays one. The emulator turns every such request into plain
HTTP to itself (for CloudFormation's answer URLs); a function that speaks to an API server on another port
of this machine must reach that server, over TLS."""

from ministack.core import lambda_runtime

from . import point

_DOWNGRADED = 'if (host === "127.0.0.1" || host === "localhost" || host === msHost\n        || (advertised && host === advertised)) {'
_OWN_PORT = '(options.port === undefined || String(options.port) === "443" || String(options.port) === String(msPort))'


def install():
    script = point.original(lambda_runtime, "_NODEJS_WORKER_SCRIPT")
    if script.count(_DOWNGRADED) != 1:
        raise point.PatchPointMissing("the emulator's Node.js worker downgrades HTTPS in another way now")
    only_own = _DOWNGRADED.replace("if (", f"if ({_OWN_PORT} && (", 1).replace(") {", ")) {")
    point.replace(lambda_runtime, "_NODEJS_WORKER_SCRIPT", script.replace(_DOWNGRADED, only_own))
