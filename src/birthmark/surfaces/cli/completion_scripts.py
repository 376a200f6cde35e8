"""How shells ask for completions. Importing this makes click use the script for bash that is defined here.

Bash takes `:` and `=` for the ends of words, so that `a.py::run` would arrive as three of them; the script passes the
line as it was typed instead. Those of zsh and fish are click's own.
"""

from __future__ import annotations

import os
from typing import ClassVar

from click.shell_completion import BashComplete, add_completion_class, split_arg_string

VARIABLE = "_BIRTHMARK_COMPLETE"

_BASH = """\
%(complete_func)s() {
    local line="${COMP_LINE:0:COMP_POINT}" type value
    local word="${line##*[[:space:]]}"
    local kept="${word%%"${word##*[:=]}"}"  # what bash leaves as it is of the word
    [[ $COMP_WORDBREAKS == *:* ]] || kept=""
    COMPREPLY=()
    while IFS=, read -r type value; do
        case "$type" in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain)
                COMPREPLY+=("${value#"$kept"}")
                if [[ $value == */ || $value == *:: ]]; then compopt -o nospace; fi ;;
        esac
    done < <(env COMP_WORDS="$line" %(complete_var)s=bash_complete "$1" 2>/dev/null)
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class LineComplete(BashComplete):
    """Bash, with the line up to the cursor in COMP_WORDS."""

    source_template: ClassVar[str] = _BASH

    @staticmethod
    def _check_version() -> None:
        """Click would start bash to ask for its version; 4.4 is ten years old."""

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ["COMP_WORDS"]
        words = split_arg_string(line)
        incomplete = "" if line[-1:].isspace() or len(words) < 2 else words.pop()
        return words[1:], incomplete


add_completion_class(LineComplete, "bash")
