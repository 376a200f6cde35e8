namespace Outer.Inner {
  const hidden = 1;
  export class Shown {}
  export namespace Deep {
    export function call(): void {}
  }
}
module Old {
  export let value: number;
}
import Alias = Outer.Inner.Deep;
