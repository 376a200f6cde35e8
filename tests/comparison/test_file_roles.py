"""What a file is for, by its path."""

from __future__ import annotations

import pytest

from birthmark.comparison.file_roles import role_of

CASES = {
    "source": [
        "app.py",
        "src/flask/testing.py",
        "django/test/client.py",
        "lib/contest.js",
        "src/latest.py",
        "pkg/attest_it.go",
        "src/main/java/a/Contest.java",
        "build.gradle",
        "crates/core/main.rs",
    ],
    "test": [
        "tests/test_app.py",
        "test/app.js",
        "packages/core/test/app.js",
        "module/src/test/java/a/Cart.java",
        "a/CartTest.java",
        "a/cart_test.go",
        "src/cart.spec.ts",
        "src/__tests__/cart.tsx",
        "django/contrib/auth/tests/x.py",
        "conftest.py",
        "spec/models/cart_spec.rb",
        "tests/README.md",
    ],
    "documentation": ["README.md", "docs/conf.py", "examples/cart.py", "CHANGELOG", "src/notes.rst"],
    "generated": [
        "vendor/jquery.js",
        "static/jquery.min.js",
        "api/cart_pb2.py",
        "api/cart.pb.go",
        "src/generated/cart.ts",
        "Form.designer.cs",
        "tests/cart.generated.ts",
    ],
}


@pytest.mark.parametrize(("role", "path"), [(role, path) for role, paths in CASES.items() for path in paths])
def test_role(role: str, path: str) -> None:
    assert role_of(path) == role
