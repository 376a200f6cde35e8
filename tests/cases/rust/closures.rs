fn f() {
    let add = |a, b: i32| a + b;
    let mut moved = move || 1;
    let handlers = Handlers { start: |x| begin(x), stop: None };
    handlers.stop = |code| exit(code);
    later = || ();
    items.iter().map(|&(a, ref b)| a + b).filter(|_| true);
}
