// Shapes of JSON documents as docs/cli.md writes them: `{ "a", "b"?: { "c" }, "d": [text], "e": "x|y" }`. A value that does
// not fit is named by its path.

type Shape =
  | { readonly kind: 'any' }
  | { readonly kind: 'text' }
  | { readonly kind: 'oneOf'; readonly words: readonly string[] }
  | { readonly kind: 'list'; readonly item: Shape }
  | {
      readonly kind: 'object';
      readonly members: ReadonlyMap<string, { readonly optional: boolean; readonly shape: Shape }>;
    };

const TOKEN = /\s*(?:("[^"]*")|(\w+)|([{}[\]:,?]))/y;

/** Throws if the text is not a shape. */
export function readShape(text: string): Shape {
  const tokens = tokensOf(text.trim());
  const shape = shapeOf(tokens);
  if (tokens.length > 0) throw new Error(`No end of the shape at ${tokens.join(' ')}`);
  return shape;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const [, quoted, word, sign] = TOKEN.exec(text) ?? [];
    const token = quoted ?? word ?? sign;
    if (token === undefined) throw new Error(`No token at ${text.slice(at)}`);
    tokens.push(token);
  }
  return tokens;
}

function expect(tokens: string[], token: string): void {
  const found = tokens.shift();
  if (found !== token) throw new Error(`${token} is expected, not ${String(found)}`);
}

function shapeOf(tokens: string[]): Shape {
  const first = tokens.shift() ?? '';
  if (first === '[') {
    const item = shapeOf(tokens);
    expect(tokens, ']');
    return { kind: 'list', item };
  }
  if (first === '{') return objectOf(tokens);
  const words = first.slice(1, -1).split('|');
  return first.startsWith('"') && words.length > 1 ? { kind: 'oneOf', words } : { kind: 'text' };
}

function objectOf(tokens: string[]): Shape {
  const members = new Map<string, { optional: boolean; shape: Shape }>();
  do {
    const name = (tokens.shift() ?? '').slice(1, -1);
    const optional = tokens[0] === '?';
    if (optional) tokens.shift();
    const typed = tokens[0] === ':';
    if (typed) tokens.shift();
    members.set(name, { optional, shape: typed ? shapeOf(tokens) : { kind: 'any' } });
  } while (tokens[0] === ',' && tokens.shift() !== undefined);
  expect(tokens, '}');
  return { kind: 'object', members };
}

/** The paths at which a value does not fit: members that the shape has not or that are missing, other kinds. */
export function misfits(value: unknown, shape: Shape | undefined, path = '$'): readonly string[] {
  switch (shape?.kind) {
    case 'text':
      return typeof value === 'string' ? [] : [path];
    case 'oneOf':
      return shape.words.includes(String(value)) ? [] : [path];
    case 'list':
      return Array.isArray(value) ? value.flatMap((item, at) => misfits(item, shape.item, `${path}[${at}]`)) : [path];
    case 'object': {
      if (typeof value !== 'object' || value === null) return [path];
      const found = new Map(Object.entries(value));
      const unknown = [...found.keys()].filter((name) => !shape.members.has(name));
      return [
        ...unknown.map((name) => `${path}.${name} is not in the shape`),
        ...[...shape.members].flatMap(([name, { optional, shape: inner }]) => {
          if (found.has(name)) return misfits(found.get(name), inner, `${path}.${name}`);
          return optional ? [] : [`${path}.${name} is missing`];
        }),
      ];
    }
    case 'any':
      return [];
    case undefined:
      return [`${path}: no shape`];
  }
}
