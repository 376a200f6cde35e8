function parse(text: string): number;
function parse(text: string, radix: number): number;
function parse(text: string, radix = 10): number {
  return parseInt(text, radix);
}

class Reader {
  constructor();
  constructor(source: string);
  constructor(source?: string) {}
  read(): string;
  read(length: number): string;
  read(length?: number) {
    return '';
  }
}
