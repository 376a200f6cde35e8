import Foundation
import struct Garden.Soil
@testable import GardenCore

infix operator <+>: AdditionPrecedence
precedencegroup Grafting {
    higherThan: AdditionPrecedence
}

typealias Watering = (Plant, Double) -> Void

let maximumBeds = 12
var openBeds: Int = 0 {
    willSet(next) { log("opening \(next)  beds") }
    didSet {
        if openBeds > maximumBeds { openBeds = oldValue }
    }
}

/// Anything that grows.
protocol Growing: AnyObject, Named {
    associatedtype Seed: Hashable = String
    var height: Double { get set }
    static var species: String { get }
    init(seed: Seed)
    func grow(by amount: Double) throws -> Bool
    subscript(leaf index: Int) -> Leaf { get }
}

/// How thirsty something is.
enum Thirst: Int, CaseIterable {
    case none = 0, some
    case extreme

    /// Says it aloud.
    var label: String {
        switch self {
        case .none: return "not thirsty"
        case .some, .extreme: return "thirsty"
        }
    }

    static func of(_ litres: Double) -> Thirst { litres > 1 ? .none : .extreme }
}

indirect enum Branch<Leaf> {
    case leaf(Leaf)
    case fork(left: Branch, right: Branch)
}

/**
 A plant in a bed.
 */
@available(macOS 13, *)
@MainActor
public final class Plant<Seed: Hashable>: Base.Organism<Seed>, Growing, Codable where Seed: Sendable {
    static let shared = Plant(seed: "moss")
    @Published private(set) var height: Double = 0.0
    let name: String, bed: Int?
    lazy var root: Root = { Root(depth: 3) }()
    weak var neighbour: Plant?
    let onWilt: (Plant) -> Void = { plant in print(plant.name) }

    var isTall: Bool { height > 2 }

    /// In centimetres.
    var centimetres: Double {
        get {
            let factor = 100.0
            return height * factor
        }
        set(value) { height = value / 100 }
    }

    init(seed: Seed, named name: String = "plant", _ beds: Int...) {
        self.name = name
        bed = beds.first
        super.init(seed: seed)
    }

    convenience init?(catalogue: [String: Any]) {
        guard let seed = catalogue["seed"] as? Seed, !catalogue.isEmpty else { return nil }
        self.init(seed: seed)
    }

    deinit { NotificationCenter.default.removeObserver(self) }

    @discardableResult
    func grow(by amount: Double) throws -> Bool {
        defer { touched = true }
        do {
            try weather.check()
            leaves.append(Leaf(size: amount))
            notes["last"] = amount
        } catch let error as WeatherError where error.isFatal {
            throw error
        } catch {
            return false
        }
        for (index, leaf) in leaves.enumerated() where leaf.isGreen {
            leaves[index].size += amount
        }
        let (low, high) = range
        var total = leaves.map { $0.size }.reduce(0) { sum, next in sum + next }
        while let pest = pests.popLast() { total -= pest.appetite }
        repeat { total += low } while total < high
        switch thirst {
        case .some(let litres), .extreme(let litres): drink(litres)
        case let .slight(cups, _): drink(cups)
        default: break
        }
        if case .dry(let days) = soil, let rain = forecast?.rain { wait(days, for: rain) }
        return total > 0
    }

    static func <+> (left: Plant, right: Plant) -> Plant { left.graft(right) }

    subscript(leaf index: Int) -> Leaf {
        get { leaves[index] }
        set { leaves[index] = newValue }
    }

    struct Leaf: Equatable {
        var size = 1.0
        private enum CodingKeys: String, CodingKey { case size = "s" }
    }
}

extension Plant: CustomStringConvertible where Seed == String {
    public var description: String { "\(name)  plant" }

    func water(_ amount: Double, then done: @escaping (Bool) -> Void = { _ in }) async {
        func drip() { done(true) }
        await pump.run { [weak self] in
            self?.height += amount
        }
        drip()
    }
}

actor Shed {
    nonisolated let tools = Set<String>()
}

#if DEBUG
func inspect(_ plant: Plant<String>) { dump(plant) }
#else
func inspect(_ plant: Plant<String>) {}
#endif
