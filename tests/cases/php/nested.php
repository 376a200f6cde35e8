<?php
function outer($a)
{
    function inner() {}
    if ($a) {
        class Late {}
    }
    return new class extends Base {
        use Logs;
        public $p = 1;
        function __construct(private $q) {}
    };
}
