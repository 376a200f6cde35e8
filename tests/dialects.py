"""The same small program in several languages, so that one story of edits can be told in all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

Program = Mapping[str, Mapping[str, Mapping[str, str]]]  # folder/file, type ("" for none), function: its statements


class Dialect(NamedTuple):
    """How a language writes a function, a method, a type and some statements."""

    extension: str
    function: str | None
    method: str
    indent: str
    statements: Mapping[str, str]
    open_type: str
    close_type: str

    def write(self, program: Program) -> dict[str, str]:
        """The files of a program."""
        return {f"{file}.{self.extension}": self._write_file(types) for file, types in program.items()}

    def _write_file(self, types: Mapping[str, Mapping[str, str]]) -> str:
        return "\n".join(self._write_type(name, functions) for name, functions in types.items())

    def _write_type(self, name: str, functions: Mapping[str, str]) -> str:
        template = self.method if name else self.function
        assert template is not None
        text = "\n".join(self._write_function(template, *function) for function in functions.items())
        return f"{self.open_type}{text}{self.close_type}".replace("TYPE", name) if name else text

    def _write_function(self, template: str, name: str, words: str) -> str:
        lines = "".join(f"{self.indent}{self._say(word)}\n" for word in words.split())
        return template.replace("NAME", name).replace("BODY\n", lines)

    def _say(self, word: str) -> str:
        """A word that is no statement is a call."""
        return self.statements.get(word) or self.statements["call"].replace("NAME", word)


_PYTHON = {
    "sum": "total = sum(item.price * item.count for item in cart.items)",
    "tax": "total = total + cart.country.tax_of(total, cart.customer)",
    "log": 'logger.info("priced %s at %s", cart.number, total)',
    "mail": 'mailer.send(cart.customer.address, subject="order", text=str(total))',
    "stock": "warehouse.reserve([item.article for item in cart.items], cart.number)",
    "call": "total = NAME(cart, total)",
    "give": "return total",
}
_SCRIPT = {
    "sum": "total = cart.items.map((item) => item.price * item.count).reduce(add, 0);",
    "tax": "total = total + cart.country.taxOf(total, cart.customer);",
    "log": "logger.info(`priced ${cart.number} at ${total}`);",
    "mail": 'mailer.send(cart.customer.address, { subject: "order", text: String(total) });',
    "stock": "warehouse.reserve(cart.items.map((item) => item.article), cart.number);",
    "call": "total = NAME(cart, total);",
    "give": "return total;",
}
_JAVA = {
    "sum": "for (Item item : cart.items()) { total = total.plus(item.price().times(item.count())); }",
    "tax": "total = total.plus(cart.country().taxOf(total, cart.customer()));",
    "log": 'logger.info("priced {} at {}", cart.number(), total);',
    "mail": 'mailer.send(cart.customer().address(), "order", String.valueOf(total));',
    "stock": "warehouse.reserve(cart.items().stream().map(Item::article).toList(), cart.number());",
    "call": "total = NAME(cart, total);",
    "give": "return total;",
}
_GO = {
    "sum": "for _, item := range cart.Items { total += item.Price * item.Count }",
    "tax": "total += cart.Country.TaxOf(total, cart.Customer)",
    "log": 'logger.Printf("priced %s at %d", cart.Number, total)',
    "mail": 'mailer.Send(cart.Customer.Address, "order", strconv.Itoa(total))',
    "stock": "warehouse.Reserve(articlesOf(cart.Items), cart.Number)",
    "call": "total = NAME(cart, total)",
    "give": "return total",
}
_RUST = {
    "sum": "let total = cart.items.iter().map(|item| item.price * item.count).sum::<u64>();",
    "tax": "let total = total + cart.country.tax_of(total, &cart.customer);",
    "log": 'info!("priced {} at {}", cart.number, total);',
    "mail": 'mailer.send(&cart.customer.address, "order", total.to_string());',
    "stock": "warehouse.reserve(cart.items.iter().map(|item| item.article), cart.number);",
    "call": "let total = NAME(cart, total);",
    "give": "total",
}

DIALECTS = {
    "python": Dialect(
        "py",
        "def NAME(cart, total):\nBODY\n",
        "    def NAME(self, cart, total):\nBODY\n",
        " " * 8,
        _PYTHON,
        "class TYPE:\n",
        "",
    ),
    "javascript": Dialect(
        "js",
        "function NAME(cart, total) {\nBODY\n}\n",
        "  NAME(cart, total) {\nBODY\n  }\n",
        "    ",
        _SCRIPT,
        "class TYPE {\n",
        "}\n",
    ),
    "typescript": Dialect(
        "ts",
        "export function NAME(cart: Cart, total: number): number {\nBODY\n}\n",
        "  NAME(cart: Cart, total: number): number {\nBODY\n  }\n",
        "    ",
        _SCRIPT,
        "export class TYPE {\n",
        "}\n",
    ),
    "java": Dialect(
        "java",
        None,
        "  Money NAME(Cart cart, Money total) {\nBODY\n  }\n",
        "    ",
        _JAVA,
        "class TYPE {\n",
        "}\n",
    ),
    "go": Dialect(
        "go",
        "func NAME(cart Cart, total int) int {\nBODY\n}\n",
        "func (self TYPE) NAME(cart Cart, total int) int {\nBODY\n}\n",
        "\t",
        _GO,
        "type TYPE struct {\n\tname string\n\titems []TYPEItem\n}\n\n",
        "",
    ),
    "rust": Dialect(
        "rs",
        "fn NAME(cart: &Cart, total: u64) -> u64 {\nBODY\n}\n",
        "    fn NAME(&self, cart: &Cart, total: u64) -> u64 {\nBODY\n    }\n",
        "        ",
        _RUST,
        "struct TYPE {\n    name: String,\n    items: Vec<TYPEItem>,\n}\n\nimpl TYPE {\n",
        "}\n",
    ),
}
