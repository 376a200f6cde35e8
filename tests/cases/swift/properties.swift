struct Person {
    let first: String, last: String
    static let low = 0, high = 9
    var (a, b) = (1, 2)
    var name: String { first + last }
    var age: Int {
        get { return years }
        set(value) {
            let old = years
            years = value
        }
    }
    var score = 0 {
        willSet { print(newValue) }
        didSet(old) {}
    }
    @Clamped(to: 0...1) var ratio = 0.5
    static var count: Int { get async throws { 1 } }
}
