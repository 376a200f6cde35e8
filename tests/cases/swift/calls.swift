print("a")
Point(x: 1)
Shop.Cart(owner: "b").add(Item())
Box<Int>(1)
[Int]()
view?.layer!.draw()
let point: Point = .init(1)
list.map { $0 }
super.viewDidLoad()
#assert(x)
cache[key]
try await load()
