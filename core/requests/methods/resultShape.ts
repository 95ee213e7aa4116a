// The shape of a result, read from the short text form of its method's record: `{ context: { slot }, value: u64[] }`, and
// of the whole answer to a call. What it cannot read is a value of unknown shape; never throws.
import type { MethodTable } from '.';
import type { MethodRecord } from './types';
import type { JsonValue } from '../../solana/json/json';
import { unitOf, type Unit } from '../../solana/chain/units';
import { perObject } from '../../solana/common/perObject';
import { methodOf } from '../../solana/json/calls';

export type ResultShape = Known & {
  /** One of several possible shapes; `null` as the alternative does not count. */
  readonly isOneOfMany?: true;
};

type Known =
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, ResultShape> }
  | { readonly kind: 'list'; readonly item: ResultShape }
  /** A scalar or an unknown value; `label` is its text, `unit` the meaning of an integer. */
  | { readonly kind: 'value'; readonly label: string; readonly unit?: Unit };

/** The JSON types of the words that records use for scalars. */
const SCALARS: ReadonlyMap<string, 'number' | 'string' | 'boolean'> = new Map([
  ...['u8', 'u16', 'u32', 'u64', 'i64', 'number', 'slot', 'lamports'].map((word) => [word, 'number'] as const),
  ...['string', 'signature', 'pubkey', 'blockhash'].map((word) => [word, 'string'] as const),
  ...['boolean', 'true'].map((word) => [word, 'boolean'] as const),
]);

/** The JSON type of a value, apart from null; undefined if uncertain. */
export function kindOfShape(
  shape: ResultShape | undefined,
): 'number' | 'string' | 'boolean' | 'object' | 'array' | undefined {
  if (shape === undefined || shape.isOneOfMany === true) return undefined;
  if (shape.kind === 'value') return shape.unit === undefined ? SCALARS.get(shape.label) : 'number';
  return shape.kind === 'list' ? 'array' : 'object';
}

const TOKEN = /\s*(?:"([^"]*)"|([{}()[\]|,:;])|([^\s{}()[\]|,:;"]+))/y;

interface Word {
  readonly text: string;
  readonly isSign: boolean;
}

export function resultShapeOf(text: string): ResultShape {
  const words: Word[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [, quoted, sign, word] = match;
    words.push({ text: quoted ?? sign ?? word ?? '', isSign: sign !== undefined });
  }
  return new Reader(words).union();
}

/** The shape of a member or an element; undefined if it does not exist. */
export function shapeAt(shape: ResultShape | undefined, step: string | number): ResultShape | undefined {
  if (shape?.kind === 'object') return typeof step === 'string' ? shape.members.get(step) : undefined;
  if (shape?.kind === 'list') return typeof step === 'number' ? shape.item : undefined;
  return undefined;
}

/** The shape of the whole answer to a call, from its root. */
export function answerShape(call: JsonValue | undefined, methods: MethodTable): ResultShape | undefined {
  const record = methods.named(methodOf(call ?? null) ?? '');
  return record && answerOf(record);
}

/** A subscription's messages are under `messages`. */
const answerOf = perObject((record: MethodRecord): ResultShape => {
  const { subscription } = record;
  const own: readonly (readonly [string, ResultShape])[] =
    subscription === undefined
      ? [['result', resultShape(record.result)]]
      : [
          ['messages', { kind: 'list', item: resultShapeOf(subscription.payload) }],
          ['result', leaf('result')],
        ];
  return { kind: 'object', members: new Map([...own, ...ENVELOPE]) };
});

const valuesNamed = (...names: readonly string[]): readonly (readonly [string, ResultShape])[] =>
  names.map((label) => [label, { kind: 'value', label }]);

const ENVELOPE: readonly (readonly [string, ResultShape])[] = [
  ...valuesNamed('id'),
  ['error', { kind: 'object', members: new Map(valuesNamed('code', 'message', 'data')) }],
];

/** After a semicolon is a remark, or the result in another case. */
function resultShape(text: string): ResultShape {
  const [usual = '', ...more] = text.split(';');
  const shape = resultShapeOf(usual);
  return more.some((part) => part.includes('{')) ? { ...shape, isOneOfMany: true } : shape;
}

/** The unit of an integer, or of the integers of a list. */
export const unitOfShape = (shape: ResultShape | undefined): Unit | undefined =>
  shape?.kind === 'value' ? shape.unit : shape?.kind === 'list' ? unitOfShape(shape.item) : undefined;

/** The unit of a method's result if it is a bare value, or a value with a context. */
export function bareUnit(method: string, methods: MethodTable): Unit | undefined {
  const result = shapeAt(answerShape({ method }, methods), 'result');
  return unitOfShape(result) ?? unitOfShape(shapeAt(result, 'value'));
}

/** A shape in a few words: `{ context, value }`, `u64[]`. */
export function labelOf(shape: ResultShape): string {
  if (shape.kind === 'value') return shape.label;
  return shape.kind === 'list' ? `${labelOf(shape.item)}[]` : `{ ${[...shape.members.keys()].join(', ')} }`;
}

const isNull = (shape: ResultShape): boolean => shape.kind === 'value' && shape.label === 'null';

const leaf = (label: string): ResultShape => withUnit({ kind: 'value', label }, label);

/** A number, or a list of them, with the unit that its name says. */
function withUnit(shape: ResultShape, name: string): ResultShape {
  if (shape.kind === 'list') return { ...shape, item: withUnit(shape.item, name) };
  const unit = unitOf(name);
  return shape.kind === 'value' && unit !== undefined ? { ...shape, unit } : shape;
}

class Reader {
  #at = 0;

  constructor(private readonly words: readonly Word[]) {}

  /** Alternatives: the first with a structure represents all; `null` makes it nullable. */
  union(): ResultShape {
    let chosen = this.#one();
    let count = isNull(chosen) ? 0 : 1;
    while (this.#take('|')) {
      const other = this.#one();
      if (!isNull(other)) count++;
      if (chosen.kind === 'value' && (other.kind !== 'value' || chosen.label === 'null')) chosen = other;
    }
    return count < 2 ? chosen : { ...chosen, isOneOfMany: true };
  }

  #one(): ResultShape {
    let shape = this.#base();
    while (this.#take('[')) {
      this.#skipTo(']');
      shape = { kind: 'list', item: shape };
    }
    return shape;
  }

  #base(): ResultShape {
    if (this.#take('{')) return this.#object();
    if (this.#take('(')) {
      const shape = this.union();
      this.#skipTo(')');
      return shape;
    }
    if (this.#take('[')) {
      const item = this.union();
      this.#skipTo(']');
      return { kind: 'list', item };
    }
    const label: string[] = [];
    for (let word = this.#word(); word !== undefined; word = this.#word()) label.push(word);
    return leaf(label.join(' '));
  }

  #object(): ResultShape {
    const members = new Map<string, ResultShape>();
    while (this.#at < this.words.length && !this.#take('}')) {
      const name = this.#word();
      // `[pubkey]: …` and "…" stand for members that nobody can name.
      if (name === undefined) this.#skipPast();
      else if (name !== '…') {
        const key = name.replace(/\?$/, '');
        // A remark in parentheses, such as a unit.
        if (this.#take('(')) this.#skipTo(')');
        members.set(key, withUnit(this.#take(':') ? this.union() : leaf(key), key));
      }
      this.#take(',');
    }
    return { kind: 'object', members };
  }

  #word(): string | undefined {
    const word = this.words[this.#at];
    if (word === undefined || word.isSign) return undefined;
    this.#at++;
    return word.text;
  }

  #take(sign: string): boolean {
    const word = this.words[this.#at];
    if (word?.isSign !== true || word.text !== sign) return false;
    this.#at++;
    return true;
  }

  /** To behind the closing sign. */
  #skipTo(sign: string): void {
    while (this.#at < this.words.length && !this.#take(sign)) this.#at++;
  }

  /** Over a sign that begins no name, and the shape behind it. */
  #skipPast(): void {
    if (this.#take('[')) this.#skipTo(']');
    else this.#at++;
    if (this.#take(':')) this.union();
  }
}
