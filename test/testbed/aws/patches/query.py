"""Parameters of the AWS Query protocol: `A.B.member.1.C=x` is `{"A": {"B": [{"C": "x"}]}}`."""


def nested(params):
    """The flat parameters of a request as nested dictionaries and lists of text."""
    tree = {}
    for name, value in params.items():
        *path, last = name.replace(".member.", ".#").split(".")
        node = tree
        for part in path:
            node = node.setdefault(part, {})
        node[last] = value[0] if isinstance(value, list) else value
    return _lists(tree)


def _lists(node):
    if not isinstance(node, dict):
        return node
    if node and all(key.startswith("#") for key in node):
        return [_lists(node[key]) for key in sorted(node, key=lambda key: int(key[1:]))]
    return {key: _lists(value) for key, value in node.items()}
