"""The exit codes of all commands: the one table, for help and reference."""

EXIT_CODES = {
    0: "success",
    1: "findings, where they are asked for: with `--exit-code`, and from `validate`",
    2: "bad usage or input, or nothing that was named is there; one line says what to do",
    3: "failure; one line says where the details are",
    130: "stopped with Ctrl-C; `watch` and `serve`, which end that way, exit with 0",
    141: "whatever read the output has closed it, as `| head` does; the command died of SIGPIPE",
    143: "ended by SIGTERM; 129 by SIGHUP, as where a terminal is closed",
}
