class Registry {
  static {
    const entries = load();
    this.entries = entries;
  }
}
