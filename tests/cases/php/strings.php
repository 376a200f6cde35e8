<p>  before  </p>
<?php
$a = 'one  two';
$b = "one  {$x->name( 1 )}  $y[0]";
$c = <<<EOT
  one  {$x->size()}
    two
  EOT;
$d = <<<'EOT'
  raw  $text
  EOT;
$e = `ls   -l`;
