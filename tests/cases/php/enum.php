<?php
enum Suit: string implements HasColour
{
    use Shuffles;
    /** The red ones. */
    case Hearts = 'H';
    case Spades = 'S';
    const Wild = self::Spades;
    public function colour(): string { return 'red'; }
}
enum Status { case On; case Off; }
