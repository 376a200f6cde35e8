class Bases extends a.b.Base<String> implements @Tag First, Second<T>, p.q.Third {}
class Plain extends Base {}
class Typed extends Base<T> {}
class Tagged extends @Tag Base {}
interface Wide extends First, Second<T>, p.q.Third {}
enum Point implements First {}
record Rec() implements Second<T> {}
final class Leaf extends Outer.Inner {}
