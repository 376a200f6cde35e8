impl Point {
    const ZERO: u8 = 0;
    pub fn new() -> Self {
        Point
    }
}

impl<T> List<T> {
    fn push(&mut self) {}
}

impl List<u8> {
    fn bytes(&self) {}
}

impl fmt::Display for Point {
    fn fmt(&self) {}
}

impl<T> From<T> for shapes::Point<T> {
    type Error = ();
    fn from(t: T) -> Self {
        todo!()
    }
}

impl<'a> Iterator for &'a Point {
    fn next(&mut self) {}
}

unsafe impl Send for Point {}

impl Speak for [u8] {
    fn speak(&self) {}
}

impl dyn Speak {
    fn shout(&self) {}
}
