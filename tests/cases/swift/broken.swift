struct Before { func fine() {} }

func half(a: Int { return }

struct After {
    var x: Int = )
    func fine() -> Int { 1 }
}
