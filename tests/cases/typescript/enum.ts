enum Color { Red, Green = 'green', 'light blue' = 3 }
export const enum Flag { None = 0, All = ~0 }
declare enum Outside { Known }
