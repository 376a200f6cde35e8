/// Documented.
pub const LIMIT: usize = 10;
static NAME: &str = "name";
static mut COUNT: u32 = 0;
type Pair<T> = (T, T);
const HALVE: fn(u8) -> u8 = |x| x / 2;

fn f() {
    const LOCAL: u8 = 1;
    static SEEN: u8 = 2;
    type Local = u8;
}
