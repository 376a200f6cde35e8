interface Before {
  name: string;
}

class Half {
  good(): void {}
  bad(): number { return 1 + ; }
  also(): void {}
}

export function after(value: string): number {
  return value.length;
}
