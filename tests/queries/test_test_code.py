"""What is a test, by path and name."""

from __future__ import annotations

import pytest

from birthmark.queries.test_code import enclosing_test, is_test, is_test_code

TESTS = [
    ("tests/test_app.py", "python", "test_start"),
    ("tests/test_app.py", "python", "TestApp.test_start"),
    ("tests/test_app.py", "python", "test_start.view"),
    ("pkg/app_test.go", "go", "TestStart"),
    ("pkg/app_test.go", "go", "Test_start"),
    ("src/lib.rs", "rust", "tests.works"),
    ("tests/cli.rs", "rust", "works"),
    ("src/test/java/a/Cart.java", "java", "Cart.adds"),
    ("src/main/java/a/CartTest.java", "java", "CartTest.adds"),
    ("src/CartTest.kt", "kotlin", "CartTest.adds one"),
    ("src/CartSuite.scala", "scala", "CartSuite"),
    ("Shop.Tests/CartTests.cs", "csharp", "Shop.CartTests.Adds"),
    ("tests/CartTest.php", "php", "CartTest.testAdds"),
    ("Tests/CartTests.swift", "swift", "CartTests.testAdds"),
    ("test/cart_test.cc", "cpp", "TEST_F"),
    ("test/cart_test.c", "c", "test_adds"),
    ("spec/cart_spec.rb", "ruby", ""),
    ("test/cart_test.rb", "ruby", "CartTest.test_adds"),
    ("src/cart.test.ts", "typescript", ""),
    ("tests/x.unknown", "unknown", "anything"),
]
HELPERS = [
    ("tests/conftest.py", "python", "client"),
    ("tests/test_app.py", "python", ""),
    ("tests/test_app.py", "python", "TestApp"),
    ("pkg/app_test.go", "go", "newServer"),
    ("pkg/app_test.go", "go", "Testify"),
    ("src/lib.rs", "rust", "tests"),
    ("src/cart.test.ts", "typescript", "makeCart"),
    ("Tests/CartTests.swift", "swift", "CartTests.setUp"),
]
OTHERS = [
    ("src/app.py", "python", "test_start"),
    ("django/test/client.py", "python", "Client.get"),
    ("pkg/app.go", "go", "TestStart"),
    ("src/lib.rs", "rust", "works"),
    ("src/main/java/a/Contest.java", "java", "Contest.enter"),
    ("src/cart.ts", "typescript", ""),
]


@pytest.mark.parametrize(("path", "language", "name"), TESTS)
def test_tests(path: str, language: str, name: str) -> None:
    assert is_test(path, language, name)
    assert is_test_code(path, language, name)


@pytest.mark.parametrize(("path", "language", "name"), HELPERS)
def test_helpers_of_tests(path: str, language: str, name: str) -> None:
    assert not is_test(path, language, name)
    assert is_test_code(path, language, name)


@pytest.mark.parametrize(("path", "language", "name"), OTHERS)
def test_what_is_no_test(path: str, language: str, name: str) -> None:
    assert not is_test(path, language, name)
    assert not is_test_code(path, language, name)


def test_what_is_inside_of_a_test_leads_to_it() -> None:
    assert enclosing_test("tests/test_app.py", "python", "TestApp.test_start.view") == "TestApp.test_start"
    assert enclosing_test("spec/cart_spec.rb", "ruby") == ""
