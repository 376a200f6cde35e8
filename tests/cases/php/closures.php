<?php
$double = function (int $n) use ($factor, &$calls) { return $n * $factor; };
$triple = static fn (int $n): int => $n * 3;
$handlers = ['save' => fn () => save(), "drop" => function () {}];
class Bus
{
    public function boot()
    {
        $this->handler = fn ($event) => $event->name;
        array_map(fn ($x) => $x + 1, $list);
        $local = function () { $inner = 1; };
    }
}
