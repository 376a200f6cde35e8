<?php
strlen('a');
\Acme\boot(1);
$make(2);
$user->team()->rename('x');
$user?->team?->name;
User::find(3);
static::create();
parent::boot();
new User('a');
new \Acme\Team;
new $class(1);
$user->save(...);
print 'x';
