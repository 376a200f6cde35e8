func all(_ a: Int, with b: String = "x", c: Int..., d: inout Int, e: @escaping () -> Void = {}) {}
func pack<each T>(_ t: repeat each T) {}
let f = { (g: Int, h) in g }
