impl S {
    fn receivers(&mut self, mut count: usize, _: u8) {}
    fn owned(mut self) {}
    fn boxed(self: Box<Self>, &x: &u8) {}
    fn apart((a, b): (u8, u8), Point { x, y: up, .. }: Point, [first, ..]: [u8; 4], Some(z): O) {}
    fn callback(f: fn(inner: u8) -> u8, g: impl Fn(u8)) {}
}
