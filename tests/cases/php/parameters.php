<?php
function all(int $a, ?string &$b, array|null $c = [], self ...$rest) {}
fn ($x, $y = 1) => $x;
