fn f() {
    let plain = 1;
    let later: u8;
    let (a, (mut b, ref c)) = tuple;
    let Point { x, y: up } = point;
    let Some(inner) = option else { return };
    for i in 0..3 {}
    for (n, &item) in list {}
    while let Some(Ok(top)) = stack.pop() {}
    if let Some(u) = one && let Ok(w) = two {}
    match value {
        None => {}
        Some(n) if n > 1 => {}
        whole @ Kind::A { .. } => {}
        [head, .., tail] => {}
        A | B => {}
        _ if flag => {}
        other => {}
    }
}
