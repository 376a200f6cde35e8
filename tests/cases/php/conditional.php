<?php
if (PHP_VERSION_ID < 80000) {
    function str_has($s, $n) { return strpos($s, $n) !== false; }
} else {
    function str_has($s, $n) { return str_contains($s, $n); }
}
if (!defined('DEBUG')) {
    define('DEBUG', false);
}
switch ($mode) {
    case 'a':
        class Mode {}
        break;
    default:
        exit(1);
}
