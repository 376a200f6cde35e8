<?php
use Countable;
use \Iterator;
use App\Models\User as Account, App\Models\Team;
use App\{Http\Request, Response, function view, const LIMIT};
use function strlen;
include 'helpers.php';
require_once __DIR__ . '/vendor/autoload.php';
