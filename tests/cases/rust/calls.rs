fn f() -> Result<()> {
    plain(1);
    module::path(2);
    Type::<u8>::new();
    self.field.method(3);
    chain().next().last::<u8>();
    generic::<u8>(4);
    (self.callback)(5);
    println!("{}", inner(6));
    log::info!(target: "x", "{}", vec![other(7)]);
    assert_eq!(format!("{}", a.method(8)), text);
    let p = Point { x: 1, ..Point::default() };
    let q = shapes::Point::<u8> { x: 1 };
    fallible()?.done().await;
}
