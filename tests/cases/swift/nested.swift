func outer() {
    func inner() {
        struct Local { func deep() {} }
    }
    class Late {}
}
enum Space {
    enum Inner { static let x = 1 }
}
var lazyValue: Int {
    let local = 1
    func help() -> Int { local }
    return help()
}
