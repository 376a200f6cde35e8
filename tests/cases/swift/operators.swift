infix operator <~>: Loose
prefix operator √
precedencegroup Loose { associativity: left }
struct V {
    static func == (a: V, b: V) -> Bool { true }
    static prefix func ! (a: V) -> V { a }
    static func <~> (a: V, b: V) -> V { a }
    static func += (a: inout V, b: V) {}
}
