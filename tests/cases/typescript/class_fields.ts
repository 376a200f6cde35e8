class Form<T> extends mixins.Base<T> implements Checked, ui.Widget<T> {
  private value: T;
  static readonly instance = new Form<string>();
  declare known: boolean;
  count? = 1;
  protected on = (event: Event) => {};
  [key] = 2;
  [index: number]: string;
  #secret!: string;
  get text(): string { return ''; }
  set text(value: string) {}
}
