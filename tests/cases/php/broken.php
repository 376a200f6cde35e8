<?php
class Before { public function fine() {} }
function half( { return ; }
class After
{
    public $x = ;
    public function fine() { return 1; }
}
