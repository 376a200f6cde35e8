async fn f() {
    if a {
    } else if b {
    } else {
    }
    for i in 0..3 {}
    while a {}
    'outer: loop {
        break 'outer;
    }
    match a {
        1 => one(),
        _ => {}
    }
    unsafe { danger() }
    let later = async move { 1 };
    {
        block();
    }
}
