import java.util.List;

String greeting = "Hello";

String greet(String name) { return greeting + name; }

void main() {
    int times = 2;
    System.out.println(greet("you"));
}
