<?php
class Person
{
    // The whole name.
    public string $full = 'none' {
        get => $this->first . ' ' . $this->last;
        set(string $value) {
            [$this->first, $this->last] = explode(' ', $value);
        }
    }
}
interface Named
{
    public string $name { get; set; }
}
