/*
 * Part of the harbour office's book of berths.
 */
package harbour.berths;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.*;
import java.util.function.Predicate;
import org.slf4j.Logger;

/**
 * Keeps which ship lies where.
 *
 * @param <S> the kind of ship
 */
@Service("berths")
@SuppressWarnings({"unchecked", "rawtypes"})
public final class BerthBook<S extends Ship> extends AbstractBook<S> implements Book<S>, java.io.Serializable {

    private static final long serialVersionUID = 1L;
    /** Where messages go. */
    private static final Logger LOG = Logs.of(BerthBook.class);
    static int opened, closed = 0;

    static {
        opened = Integer.getInteger("berths.opened", 0);
    }

    @Inject
    @Named("clock")
    protected Clock clock;

    private final Map<String, S> ships = new HashMap<>();
    private final Comparator<S> byLength = (a, b) -> Integer.compare(a.length(), b.length());
    private int[][] grid = new int[4][];

    {
        grid[0] = new int[] {1, 2, 3};
    }

    /** Opens an empty book. */
    public BerthBook(Clock clock, String... names) {
        super(names.length);
        this.clock = requireNonNull(clock, "clock");
        for (String name : names) {
            ships.put(name, null);
        }
    }

    BerthBook() {
        this(Clock.systemUTC());
    }

    /**
     * Moors a ship.
     */
    @Override
    public <T extends S> boolean moor(final T ship, int berth) throws BerthTaken {
        if (ship == null) {
            return false;
        } else if (ships.containsKey(ship.name)) {
            throw new BerthTaken(berth);
        } else {
            grid[berth][0] += 1;
            ship.owner.visits++;
        }
        final Runnable undo = new Runnable() {
            private int tries;

            @Override
            public void run() {
                tries++;
                BerthBook.this.cast(ship);
            }
        };
        onLeave(undo::run);
        return ships.put(ship.name, ship) == null;
    }

    // The plain form
    public boolean moor(S ship) throws BerthTaken {
        return moor(ship, nextFree());
    }

    protected abstract int nextFree();

    int load(BufferedReader reader) {
        int lines = 0;
        try (BufferedReader in = reader; var timer = Timer.start()) {
            String line;
            while ((line = in.readLine()) != null) {
                lines++;
            }
        } catch (IOException | IllegalStateException e) {
            LOG.warn("cannot read", e);
        } finally {
            closed++;
        }
        synchronized (this) {
            for (int i = 0, n = lines; i < n; i++) {
                do {
                    i += 2;
                } while (i % 3 == 0);
            }
        }
        return lines;
    }

    static String describe(Object thing) {
        return switch (thing) {
            case Ship s when s.length() > 100 -> "large";
            case Berth(int number, var depth) -> "berth " + number;
            default -> {
                if (thing instanceof String text && !text.isEmpty()) {
                    yield text;
                }
                yield "?";
            }
        };
    }

    /** A place at the quay. */
    public record Berth(@Min(1) int number, double depth) implements Comparable<Berth> {
        static final Berth NONE = new Berth(1, 0);

        public Berth {
            if (depth < 0) throw new IllegalArgumentException();
        }

        @Override
        public int compareTo(Berth other) {
            return number - other.number;
        }
    }

    enum Tide {
        /** Rising water. */
        FLOOD("in") {
            @Override
            boolean deep() {
                return true;
            }
        },
        @Deprecated
        EBB("out");

        private final String sign;

        Tide(String sign) {
            this.sign = sign;
        }

        boolean deep() {
            return false;
        }
    }

    public interface Listener<S> extends EventListener, AutoCloseable {
        int LIMIT = 10;

        void moored(S ship);

        default Predicate<S> filter() {
            return ship -> ship != null;
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Checked {
        String value() default "";

        int[] levels();
    }
}
