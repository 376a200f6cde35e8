unsafe trait Store: Send + fmt::Debug + From<u8> + 'static {
    type Item: Clone;
    const SIZE: usize;
    const NAME: &'static str = "store";
    fn get(&self, key: &str) -> Option<Self::Item>;
    fn len(self: Box<Self>) -> usize {
        0
    }
}
