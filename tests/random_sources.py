"""Random Python sources that import, call and assign each other's names."""

from __future__ import annotations

from hypothesis import strategies as st

MODULES = ("a", "b", "c")
NAMES = ("f", "g", "Shop", "Item", "run", "RATE")
LOCALS = ("x", "shop")

expressions = st.recursive(
    st.sampled_from([*NAMES, *LOCALS, "self", *MODULES]),
    lambda inner: st.one_of(
        st.builds("{}()".format, inner),
        st.builds("{}.{}".format, inner, st.sampled_from(NAMES)),
        st.builds("[{}]".format, inner),
        st.builds("f'{{{}}}'".format, inner),
    ),
    max_leaves=4,
)
statements = st.one_of(
    expressions,
    st.builds("{} = {}".format, st.sampled_from([*LOCALS, "self.RATE", "self.shop"]), expressions),
    st.builds("return {}".format, expressions),
    st.builds("{}: {} = None".format, st.sampled_from(LOCALS), st.sampled_from(NAMES)),
    st.builds("# {}".format, st.sampled_from(NAMES)),
    st.builds("'{}'".format, st.sampled_from(NAMES)),
)
bodies = st.lists(statements, min_size=1, max_size=3).map(lambda lines: [*lines, "pass"])


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _function(name: str, parameter: str, body: list[str]) -> list[str]:
    return [f"def {name}({parameter}):", *_indented(body)]


functions = st.builds(_function, st.sampled_from(NAMES), st.sampled_from(["", "x", "self", "shop: Shop"]), bodies)


def _class(name: str, base: str, members: list[list[str]]) -> list[str]:
    return [f"class {name}{base}:", *_indented([line for member in members for line in member]), "    pass"]


classes = st.builds(
    _class,
    st.sampled_from(NAMES),
    st.sampled_from(["", "(Shop)", "(a.Item)", "(Item)"]),
    st.lists(functions, max_size=2),
)
imports = st.one_of(
    st.builds("import {}".format, st.sampled_from(MODULES)),
    st.builds("from {} import {}".format, st.sampled_from(MODULES), st.sampled_from(NAMES)),
    st.builds("from {} import {} as shop".format, st.sampled_from(MODULES), st.sampled_from(NAMES)),
    st.builds("from {} import *".format, st.sampled_from(MODULES)),
).map(lambda line: [line])
constants = st.builds("RATE = {}".format, expressions).map(lambda line: [line])
random_source = st.lists(st.one_of(imports, functions, classes, constants), max_size=6).map(
    lambda parts: "".join(f"{line}\n" for part in parts for line in part)
)
