// A body's value with its variables filled in as far as the file says; the rest stays as `{{…}}` and is not checked.
import { evaluate, expand, type Home } from './evaluate';
import type { Block, Body, Reference, Span } from '../model';
import { TRANSACTION_HELPERS } from './reference';
import type { Scope } from './variables';
import { isJsonArray, isJsonObject, printJson, type JsonValue } from '../../../solana/json/json';

export interface FilledBody {
  readonly value: JsonValue;
  /** True for text whose value only a run can know. */
  readonly isUnknown: (value: JsonValue) => boolean;
  /** True for text that becomes a wallet's transaction. */
  readonly isWalletTransaction: (text: string) => boolean;
  /** The reference that fills the token at `span`, quotes and all. */
  referenceIn(span: Span): Span | undefined;
  isWalletReference(span: Span): boolean;
}

const never = (): boolean => false;
const nowhere = (): undefined => undefined;

/** The filled form of a body without references. */
const asItStands = (value: JsonValue): FilledBody => ({
  value,
  isUnknown: never,
  isWalletTransaction: never,
  referenceIn: nowhere,
  isWalletReference: never,
});

/** Fills a valid body. `key` says which values went in: with the same block and key, every check gives the same. */
export function fillBody(
  scope: Scope,
  block: Block,
  body: Body,
): { readonly filled: FilledBody; readonly key: string } {
  const value = body.value() ?? null;
  if (!block.references.some((reference) => reference.place === 'body')) return { filled: asItStands(value), key: '' };
  const references = block.references.filter((reference) => reference.place === 'body');
  const texts = new TextFiller({ scope, block });
  const filled: FilledBody = {
    value: fill(value, texts),
    isUnknown: (part) => typeof part === 'string' && texts.unknown.has(part),
    isWalletTransaction: (text) => texts.wallet.has(text),
    referenceIn: (span) => references.find((reference) => inside(reference, span))?.span,
    isWalletReference: (span) =>
      references.some((reference) => reference.span === span && texts.isWallet(reference.content)),
  };
  return { filled, key: texts.key() };
}

const inside = ({ span, bare }: Reference, token: Span): boolean =>
  bare ? span.start === token.start && span.end === token.end : span.start > token.start && span.end < token.end;

function fill(value: JsonValue, texts: TextFiller): JsonValue {
  if (typeof value === 'string') return value.includes('{{') ? texts.fill(value) : value;
  if (isJsonArray(value)) return value.map((item) => fill(item, texts));
  if (!isJsonObject(value)) return value;
  // The name of a member that is a variable may turn out to be any.
  for (const key of Object.keys(value)) if (key.includes('{{')) texts.unknown.add(key);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, texts)]));
}

class TextFiller {
  /** Texts that stay as they are until a run. */
  readonly unknown = new Set<string>();
  readonly wallet = new Set<string>();
  readonly #parts: string[] = [];

  constructor(private readonly home: Home) {}

  fill(text: string): JsonValue {
    const result = expand(this.home, text);
    if (result.kind === 'known') {
      this.#parts.push(printJson(result.value));
      return result.value;
    }
    this.unknown.add(text);
    const helper = result.kind === 'unknown' && result.waitsFor.kind === 'helper' ? result.waitsFor.name : undefined;
    const isWallet = helper !== undefined && TRANSACTION_HELPERS.has(helper);
    if (isWallet) this.wallet.add(text);
    this.#parts.push(isWallet ? '?wallet' : '?');
    return text;
  }

  isWallet(content: Reference['content']): boolean {
    const result = evaluate(this.home, content);
    return (
      result.kind === 'unknown' && result.waitsFor.kind === 'helper' && TRANSACTION_HELPERS.has(result.waitsFor.name)
    );
  }

  key(): string {
    return this.#parts.join('\n');
  }
}
