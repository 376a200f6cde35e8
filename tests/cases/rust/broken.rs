fn before() {}

fn broken(a: u8 {
    let x = ;
}

struct After {
    field: u8,
}

fn after() {
    before();
}
