mod file;

/// Documented from outside.
pub mod outer {
    pub(super) mod inner {
        fn deep() {}
        struct Deep;
    }
}

mod documented {
    //! Documented from inside,
    //! in two lines.

    fn f() {}
}
