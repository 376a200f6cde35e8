<?php
// The limit.
const LIMIT = 3;
const A = 1, B = LIMIT;
define('OLD', 4);
\define("OLDER", 5);
class Box
{
    /** About it. */
    const X = 1;
    protected const string Y = 'y', Z = self::Y;
}
