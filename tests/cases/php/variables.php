<?php
$total = 0;
[$a, ['k' => $b]] = pair();
$x = $y = 3;
$ref = &$total;
function run($rows)
{
    global $total;
    static $calls = 0, $cache;
    list($first, $last) = ends($rows);
    for ($i = 0, $n = count($rows); $i < $n; $i++) {
        $rows[$i]++;
    }
    foreach ($rows as $key => [$left, $right]) {
        $this->seen[$key] = $left;
    }
    foreach ($rows as &$row) {
        unset($row->id, $row[0]);
    }
    while ($line = fgets($file)) {
        $this->lines[] = $line;
        self::$count += 1;
    }
    try {
        risky();
    } catch (Exception $e) {
        sort($rows);
    }
}
