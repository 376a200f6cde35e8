func bind(_ input: Any) {
    let first = 1, second: Int = 2
    var later: Int
    let (x, _) = pair
    if let a = input as? Int, var b, case .some(let c) = option {}
    guard let d = optional, case let .pair(e, f) = other else { return }
    while let g = queue.next() {}
    for h in 0..<3 {}
    for (i, j) in table {}
    for case let .item(k) in list {}
    switch input {
    case let l as Int: break
    case .both(let m, let n): break
    case let (o, p): break
    default: break
    }
    do { try risky() } catch let error {}
    async let q = fetch()
}
