/// Documented.
#[repr(u8)]
enum Shape {
    /// A point.
    Point,
    Circle(f64),
    #[doc(hidden)]
    Rect { width: f64, height: f64 },
    Last = 7,
}

impl Shape {
    fn area(&self) -> f64 {
        0.0
    }
}
