// Counts what a piece of work does to texts and lists: each call of a built-in method costs one and the units or
// elements it has to look at. A growth in it is a growth in steps, on any machine and under any load.

type Builtin = (this: unknown, ...args: unknown[]) => unknown;

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value) ? value.length : value === undefined ? 0 : 1;

/** A search costs the way from where it begins to what it finds, or to the end. */
function searched(self: unknown, args: readonly unknown[], result: unknown): number {
  const from = typeof args[1] === 'number' ? args[1] : 0;
  const to = typeof result === 'number' && result >= 0 ? result : lengthOf(self);
  return Math.max(1, to - from);
}

/** A search from behind costs the way from the end. */
function searchedBack(self: unknown, args: readonly unknown[], result: unknown): number {
  const from = typeof args[1] === 'number' ? Math.min(args[1], lengthOf(self)) : lengthOf(self);
  return Math.max(1, from - (typeof result === 'number' ? Math.max(0, result) : 0));
}

const whole = (self: unknown): number => lengthOf(self);
const given = (_: unknown, __: readonly unknown[], result: unknown): number => lengthOf(result);
const one = (): number => 1;

/** Taking out costs what is taken and what moves up behind it. */
const moved = (self: unknown, args: readonly unknown[], result: unknown): number =>
  lengthOf(result) + Math.max(0, lengthOf(self) - Number(args[0]));

type Price = (self: unknown, args: readonly unknown[], result: unknown) => number;

const STRINGS: Readonly<Record<string, Price>> = {
  charAt: one,
  charCodeAt: one,
  startsWith: one,
  endsWith: one,
  indexOf: searched,
  includes: whole,
  lastIndexOf: searchedBack,
  slice: given,
  replaceAll: whole,
  split: whole,
  trim: whole,
  repeat: given,
};

const LISTS: Readonly<Record<string, Price>> = {
  slice: given,
  splice: moved,
  concat: given,
  indexOf: searched,
  lastIndexOf: searchedBack,
  includes: whole,
  filter: whole,
  map: whole,
  flatMap: whole,
  some: whole,
  every: whole,
  join: whole,
  sort: whole,
};

/** The steps of `work`. */
export function stepsOf(work: () => unknown): number {
  let steps = 0;
  const undo: (() => void)[] = [];
  const meter = (owner: object, name: string, price: Price): void => {
    const kept = Object.getOwnPropertyDescriptor(owner, name);
    const original = kept?.value as Builtin;
    const metered: Builtin = function (this: unknown, ...args) {
      const result = Reflect.apply(original, this, args);
      steps += 1 + price(this, args, result);
      return result;
    };
    Object.defineProperty(owner, name, { ...kept, value: metered });
    undo.push(() => Object.defineProperty(owner, name, kept ?? {}));
  };
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const exec = RegExp.prototype.exec;
  try {
    for (const [name, price] of Object.entries(STRINGS)) meter(String.prototype, name, price);
    for (const [name, price] of Object.entries(LISTS)) meter(Array.prototype, name, price);
    // `test`, `match` and `replace` of an expression call its `exec`.
    RegExp.prototype.exec = function (this: RegExp, text: string) {
      const from = this.global || this.sticky ? this.lastIndex : 0;
      const match = exec.call(this, text);
      const end = match === null ? (this.sticky ? from + 1 : text.length) : match.index + match[0].length;
      steps += 1 + Math.max(0, end - from);
      return match;
    };
    work();
  } finally {
    RegExp.prototype.exec = exec;
    for (const one of undo.reverse()) one();
  }
  return steps;
}
