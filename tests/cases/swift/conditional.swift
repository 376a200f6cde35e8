#if os(iOS)
import UIKit
typealias Colour = UIColor
func screen() -> Int { 1 }
#else
typealias Colour = NSColor
func screen() -> Int { 2 }
#endif
class View {
    #if DEBUG
    var debug = true
    #endif
}
if ready {
    let late = 1
}
