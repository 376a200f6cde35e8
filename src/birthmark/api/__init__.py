"""The Python API, `import birthmark`: the questions of the commands."""
