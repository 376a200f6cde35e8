/// Documented.
pub const fn add(a: u32, mut b: u32) -> u32 {
    a + b
}

/** Also documented. */
#[inline]
#[must_use]
async unsafe fn load<T: Clone>(from: &T) -> T {
    fn nested() {}
    from.clone()
}

extern "C" {
    fn printf(format: *const u8, ...) -> i32;
    static ENVIRON: usize;
}
