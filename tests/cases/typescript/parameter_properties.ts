class Account {
  constructor(
    private readonly owner: string,
    @Inject(BALANCE) public balance = 0,
    readonly currency?: string,
    note: string,
  ) {}
}
