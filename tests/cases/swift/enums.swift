indirect enum Tree<T>: Countable {
    /// Nothing.
    case empty
    case leaf(T), node(left: Tree, right: Tree)
    static let none = Tree.empty
    var count: Int { 0 }
    func visit() {}
    init() { self = .empty }
}
enum Code: Int { case ok = 200, gone = 410 }
