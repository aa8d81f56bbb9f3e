"""The emulator is spoken to over plain HTTP on the loopback interface. Bucket and queue policies that
demand TLS (`aws:SecureTransport`) would refuse everything there, so that key is always true."""

from ministack.core import iam_evaluator

from . import point


def install():
    resolve = point.original(iam_evaluator, "_resolve_condition_key", ("key", "ctx"))

    def resolve_with_tls(key, ctx):
        return "true" if key.lower() == "aws:securetransport" else resolve(key, ctx)

    point.replace(iam_evaluator, "_resolve_condition_key", resolve_with_tls)
