@FunctionalInterface
public interface Job<T> extends Runnable, Supplier<T>, java.util.EventListener {
    int LIMIT = 3, RETRIES = 5;
    T work(String how) throws Exception;
    default T get() { return hidden(); }
    static <T> Job<T> of(T value) { return how -> value; }
    private T hidden() { return null; }
}

sealed interface Shape permits Circle, Square {}

abstract class Circle implements Shape {
    abstract double area();
    native int fast();
}
