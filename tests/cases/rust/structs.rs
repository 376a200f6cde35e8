pub struct Named<T> {
    /// Documented.
    pub(crate) first: T,
    #[serde(skip)]
    second: Vec<T>,
}

struct Tuple(pub u8, String);

struct Unit;

union Bits {
    word: u32,
    bytes: [u8; 4],
}
