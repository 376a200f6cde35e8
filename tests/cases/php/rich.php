<?php

declare(strict_types=1);

namespace Harbour\Ships;

use Harbour\Cargo\{Crate, Manifest as Papers};
use Harbour\Events\Dispatcher;
use function Harbour\Support\tonnes;
use const Harbour\MAX_DRAUGHT;

require_once __DIR__ . '/bootstrap.php';

const FLAGS = ['nl', 'dk'], DEFAULT_FLAG = 'nl';
define('HARBOUR_OPEN', true);

/** Anything that can lie at a quay. */
interface Berthable extends \Countable
{
    const LONGEST = 400;

    public function length(): float;
}

/** Keeps a log. */
trait Logs
{
    private array $entries = [];

    abstract protected function label(): string;

    protected function log(string $line, mixed ...$context): void
    {
        $this->entries[] = [$line, $context];
    }
}

enum Size: string implements HasLabel
{
    case Small = 's';
    case Large = 'l';

    const DEFAULT = self::Small;

    public static function of(float $length): self
    {
        return match (true) {
            $length > 200 => self::Large,
            default => self::Small,
        };
    }
}

/**
 * A ship with a hold.
 */
#[Entity(table: 'ships')]
#[Audited]
abstract class Ship extends Vessel implements Berthable, \JsonSerializable
{
    use Logs, Moves {
        Moves::log insteadof Logs;
        log as protected note;
    }

    final public const VERSION = 3;

    /** How many there are. */
    private static int $count = 0;
    protected ?string $captain = null, $mate;

    public string $name {
        get => ucfirst($this->name);
        set(string $value) {
            $this->name = trim($value);
        }
    }

    public function __construct(
        private readonly string $imo,
        protected array $hold = [],
        #[Sensitive] ?Dispatcher $events = null,
    ) {
        parent::__construct($imo);
        self::$count++;
        $events?->listen('loaded', function (Crate $crate) use (&$hold): void {
            $hold[] = $crate;
        });
    }

    #[Pure]
    abstract public function length(): float;

    public function load(Crate $crate, int &$weight = 0, string ...$marks): static
    {
        static $loads = 0;
        try {
            foreach ($marks as $i => $mark) {
                $crate->mark($mark);
            }
            $this->hold[$crate->id] = $crate;
        } catch (Overload | \RuntimeException $e) {
            $this->log("no room: {$e->getMessage()}");
            throw new Refused($crate, previous: $e);
        } finally {
            $loads++;
        }
        return $this;
    }

    public function weight(): float
    {
        $sum = fn (float $all, Crate $one): float => $all + $one->weight;
        [$first, , $last] = array_values($this->hold);
        if (($total = array_reduce($this->hold, $sum, 0.0)) > 100) {
            unset($this->hold[$first->id], $last->mark);
        } elseif ($total === 0.0) {
            usort($this->hold, [$this, 'compare']);
        } else {
            for ($i = 0; $i < 3; $i++) {
                echo $i;
            }
        }
        return tonnes($total);
    }

    public static function anonymous(): Berthable
    {
        return new class ('none') extends Buoy implements Berthable {
            private $lamp = true;

            public function length(): float
            {
                return 1.0;
            }
        };
    }
}

if (!function_exists('knots')) {
    function knots(float $speed): string
    {
        return <<<TEXT
            {$speed}  knots
            TEXT;
    }
}

$routes = [
    'arrive' => fn (Ship $ship) => $ship->berth(),
    'leave' => function (Ship $ship) {
        return $ship?->captain?->name ?? Size::DEFAULT->value;
    },
];
$ship = new \Harbour\Ships\Tug(imo: '1');
?>
<h1>  Ships  </h1>
<?php foreach ($routes as $name => $route): ?>
  <li><?= $name ?></li>
<?php endforeach; ?>
