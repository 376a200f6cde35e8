extension Array where Element == Int {
    var total: Int { reduce(0, +) }
    init(upTo end: Int) { self = [] }
}
extension Shop.Cart: Priced, Codable {
    static let empty = Cart()
    struct Line {}
}
extension Collection<String> {
    func joined() -> String { "" }
}
