let double = { (n: Int) -> Int in n * 2 }
let nothing: () -> Void = {}
class Job {
    var onDone: ((Int) -> Void)? = { code in print(code) }
    func run() {
        let step = { [weak self] in self?.next() }
        items.map { $0 + 1 }.forEach { item in use(item) }
        start(1) { done() } failed: { error in log(error) }
    }
}
