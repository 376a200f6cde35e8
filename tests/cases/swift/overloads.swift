struct Money {
    init() {}
    init(_ cents: Int) {}
    func add(_ other: Money) {}
    func add(cents: Int) {}
    func add<T: Number>(_ number: T) where T: Signed {}
    subscript(i: Int) -> Int { 1 }
    subscript(name: String) -> Int {
        get { 1 }
        set {}
    }
    deinit {}
}
