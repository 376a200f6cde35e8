protocol Store: Sequence {
    associatedtype Item: Hashable = String
    associatedtype Key
    typealias Pair = (Key, Item)
    var count: Int { get }
    static var shared: Self { get set }
    init?(name: String)
    mutating func put(_ item: Item, at key: Key) throws
    static func == (a: Self, b: Self) -> Bool
    subscript(key: Key) -> Item? { get set }
}
