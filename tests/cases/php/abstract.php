<?php
abstract class Shape
{
    abstract public function area(): float;
    final protected static function &unit(): self { return self::$unit; }
    public function __destruct() {}
    public function __call($name, $arguments) {}
}
final class Circle extends Shape {}
readonly class Dot implements Drawn, \Countable {}
trait Paints
{
    public static $colour;
    abstract function paint();
}
interface Drawn extends Visible, Named
{
    public function draw(Canvas $on): void;
}
