/// Documented.
#[macro_export]
macro_rules! square {
    ($x:expr) => {
        multiply($x, $x)
    };
    () => {
        0
    };
}

cfg_if! {
    if #[cfg(unix)] {
        pub fn open(path: &str) -> Option<u8> { connect(path) }
        struct Handle { raw: u8 }
    } else {
        mod other;
        type Handle = u8;
    }
}

thread_local! {
    static SLOT: u8 = 1;
}
