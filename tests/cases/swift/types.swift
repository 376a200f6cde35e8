class Animal {}
struct Size { var width = 0 }
enum Kind: String { case cat = "c", dog }
actor Keeper {}
protocol Named {}
final class Cat: Animal, Named, Box<Int>.Lid, Comparable & Sized {}
struct Unique: ~Copyable, @unchecked Sendable {}
