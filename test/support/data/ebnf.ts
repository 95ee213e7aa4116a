// Reads a grammar in the notation of the XML specification and says whether a text fits one of its rules. For small texts:
// every choice is followed, so an ambiguous grammar is not a problem.

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'class'; readonly has: (char: string) => boolean }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'row' | 'choice'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly least: 0 | 1; readonly most: 1 | undefined };

export interface Grammar {
  readonly rules: ReadonlySet<string>;
  /** Rules that are named and not defined. */
  readonly missing: readonly string[];
  /** Rules that no other rule names. */
  readonly roots: readonly string[];
  /** All strings in quotes. */
  readonly words: ReadonlySet<string>;
  fits(rule: string, text: string): boolean;
}

const TOKEN = /\s*(::=|[|?*+()]|'[^']*'|"[^"]*"|\[(?:[^\]])+\]|#x[0-9A-F]+|[A-Za-z_]\w*)/y;

/** Throws on a text that is not a grammar. */
export function readGrammar(source: string): Grammar {
  const tokens = tokensOf(source);
  const rules = new Map<string, Part>();
  const named: { readonly rule: string; readonly name: string }[] = [];
  const words = new Set<string>();
  let at = 0;
  let current = '';

  const choice = (): Part => {
    const parts = [row()];
    while (tokens[at] === '|') {
      at++;
      parts.push(row());
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts };
  };
  const row = (): Part => {
    const parts: Part[] = [];
    for (;;) {
      const token = tokens[at];
      if (token === undefined || token === '|' || token === ')' || tokens[at + 1] === '::=') break;
      parts.push(repeated(item()));
    }
    if (parts.length === 0) throw new Error(`An empty choice in ${current}`);
    return { kind: 'row', parts };
  };
  const repeated = (part: Part): Part => {
    const sign = tokens[at];
    if (sign !== '?' && sign !== '*' && sign !== '+') return part;
    at++;
    return { kind: 'repeat', part, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : undefined };
  };
  const item = (): Part => {
    const token = tokens[at++] ?? '';
    if (token === '(') {
      const inner = choice();
      if (tokens[at++] !== ')') throw new Error(`A ")" is missing in ${current}`);
      return inner;
    }
    if (/^['"]/.test(token)) {
      words.add(token.slice(1, -1));
      return { kind: 'text', text: token.slice(1, -1) };
    }
    if (token.startsWith('[')) return { kind: 'class', has: classOf(token.slice(1, -1)) };
    if (token.startsWith('#x')) return { kind: 'text', text: numbered(token) };
    if (!/^\w+$/.test(token)) throw new Error(`"${token}" in ${current}`);
    named.push({ rule: current, name: token });
    return { kind: 'rule', name: token };
  };

  while (at < tokens.length) {
    current = tokens[at] ?? '';
    if (tokens[at + 1] !== '::=' || rules.has(current)) throw new Error(`"${current}" begins no new rule`);
    at += 2;
    rules.set(current, choice());
  }
  return {
    rules: new Set(rules.keys()),
    missing: named.filter(({ name }) => !rules.has(name)).map(({ name }) => name),
    roots: [...rules.keys()].filter((name) => !named.some((one) => one.name === name && one.rule !== name)),
    words,
    fits: (rule, text) => new Matcher(rules, text).ends({ kind: 'rule', name: rule }, 0).has(text.length),
  };
}

function tokensOf(source: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.trimEnd().length) {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(source)?.[1];
    if (found === undefined) throw new Error(`No grammar at: ${source.slice(from, from + 40)}`);
    tokens.push(found);
  }
  return tokens;
}

const numbered = (text: string): string => String.fromCharCode(parseInt(text.slice(2), 16));

/** `^` in front turns it around; `a-z` is a range, `#x20` a character by its number. */
function classOf(text: string): (char: string) => boolean {
  const isNegated = text.startsWith('^');
  const units = [...text.slice(isNegated ? 1 : 0).matchAll(/#x[0-9A-F]+|[^]/g)].map(([unit]) => unit);
  const chars = units.map((unit) => (unit.length > 1 ? numbered(unit) : unit));
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < chars.length; at++) {
    const low = chars[at] ?? '';
    const high = chars[at + 2];
    if (units[at + 1] === '-' && high !== undefined) {
      ranges.push([low, high]);
      at += 2;
    } else ranges.push([low, low]);
  }
  return (char) => ranges.some(([low, high]) => char >= low && char <= high) !== isNegated;
}

class Matcher {
  readonly #known = new Map<string, Map<number, ReadonlySet<number>>>();

  constructor(
    private readonly rules: ReadonlyMap<string, Part>,
    private readonly text: string,
  ) {}

  /** Where a part that begins at a place may end. */
  ends(part: Part, at: number): ReadonlySet<number> {
    switch (part.kind) {
      case 'text':
        return new Set(this.text.startsWith(part.text, at) ? [at + part.text.length] : []);
      case 'class':
        return new Set(at < this.text.length && part.has(this.text.charAt(at)) ? [at + 1] : []);
      case 'rule':
        return this.#rule(part.name, at);
      case 'choice':
        return new Set(part.parts.flatMap((one) => [...this.ends(one, at)]));
      case 'row':
        return part.parts.reduce<ReadonlySet<number>>((from, one) => this.#step(one, from), new Set([at]));
      case 'repeat': {
        const all = new Set(part.least === 0 ? [at] : []);
        for (let last: ReadonlySet<number> = new Set([at]), round = 0; last.size > 0 && round !== part.most; round++) {
          last = new Set([...this.#step(part.part, last)].filter((end) => !all.has(end)));
          for (const end of last) all.add(end);
        }
        return all;
      }
    }
  }

  #step(part: Part, from: ReadonlySet<number>): ReadonlySet<number> {
    return new Set([...from].flatMap((at) => [...this.ends(part, at)]));
  }

  #rule(name: string, at: number): ReadonlySet<number> {
    const places = this.#known.get(name) ?? new Map<number, ReadonlySet<number>>();
    this.#known.set(name, places);
    const known = places.get(at);
    if (known !== undefined) return known;
    const part = this.rules.get(name);
    if (part === undefined) throw new Error(`There is no rule ${name}`);
    const found = this.ends(part, at);
    places.set(at, found);
    return found;
  }
}
