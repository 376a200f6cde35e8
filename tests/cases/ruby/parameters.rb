def all(a, b = 1, *rest, (c, *d), key:, other: 2, **options, &block); end
def forward(...) = all(...)
def anonymous(*, **, &) = all(*, **, &)
each { |(k, v), *others, i: 0| p k }
