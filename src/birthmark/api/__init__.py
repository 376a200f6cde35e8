"""What `import birthmark` offers: the questions of the commands, for Python."""
