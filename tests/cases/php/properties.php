<?php
class Point
{
    // Where it is.
    public int $x = 0, $y;
    var $old;
    /** What it is called. */
    #[Column('name')]
    private static readonly ?string $name;
}
