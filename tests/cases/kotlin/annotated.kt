class Before { fun f() {} }

@Target(X.FIELD)
@Retention(X.RUNTIME)
@ExtendWith(S::class)
annotation class After
