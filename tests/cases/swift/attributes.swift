@available(iOS 13, *) @objc(Old)
class Old {
    @objc dynamic func tap(_ sender: Any) {}
    @IBOutlet weak var label: Label!
    // Gone soon.
    @available(*, deprecated, message: "use other")
    @inlinable
    init() {}
}
@freestanding(expression) macro stringify<T>(_ value: T) -> String = #externalMacro(module: "M", type: "S")
