// JSON as JavaScript: the literals of the two public clients, every digit as it is written. Pure.
import type { ValueSpec } from '../methods/types';
import { jsonTypeOf, optionFor } from '../methods/kinds';
import { parameterOf, type CopyKey } from './request';
import { isJsonArray, isJsonObject, JsonNumber, printJson, type JsonValue } from '../../solana/json/json';
import { isPublicKey, isSignature } from '../../solana/chain/keys';

/** How a client wants addresses, signatures and large integers. */
export interface Dialect {
  readonly pubkey: (text: string) => string;
  readonly signature: (text: string) => string;
  /** An integer beyond 2^53. */
  readonly large: (digits: string) => string;
  /** Called for a text that should be an address or a signature and is not. */
  readonly misfit?: () => void;
}

/** A text as a JavaScript string. */
export function javascriptString(text: string): string {
  // The two separators end a line in JavaScript of old.
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** True where a client with doubles for numbers would change a digit. */
export function hasLargeIntegers(value: JsonValue | undefined): boolean {
  if (value instanceof JsonNumber) return isLarge(value);
  if (isJsonArray(value)) return value.some(hasLargeIntegers);
  return isJsonObject(value) && Object.values(value).some(hasLargeIntegers);
}

function isLarge(number: JsonNumber): boolean {
  const exact = number.toBigInt();
  return exact !== undefined && !Number.isSafeInteger(Number(exact));
}

/** `spec`: what the contract says of the value; a value it does not fit is written as it is. */
export function literal(value: JsonValue, spec: ValueSpec | undefined, dialect: Dialect): string {
  const fits = spec?.kind === 'anyOf' ? optionFor(spec.options, jsonTypeOf(value)) : spec;
  if (typeof value === 'string') return textLiteral(value, fits, dialect);
  if (value instanceof JsonNumber) return isLarge(value) ? dialect.large(value.text) : value.text;
  if (isJsonArray(value)) {
    const items = fits?.kind === 'array' ? fits.items : undefined;
    return `[${value.map((item) => literal(item, items, dialect)).join(', ')}]`;
  }
  if (!isJsonObject(value)) return printJson(value);
  const fields = fits?.kind === 'object' ? fits.fields : [];
  const members = Object.entries(value).map(([key, item]) => {
    const field = fields.find(({ name }) => name === key);
    return `${propertyName(key)}: ${literal(item, field?.spec, dialect)}`;
  });
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function textLiteral(text: string, spec: ValueSpec | undefined, dialect: Dialect): string {
  if (spec?.kind === 'pubkey' && isPublicKey(text)) return dialect.pubkey(text);
  if (spec?.kind === 'signature' && isSignature(text)) return dialect.signature(text);
  if (spec?.kind === 'pubkey' || spec?.kind === 'signature') dialect.misfit?.();
  return javascriptString(text);
}

/** `__proto__` in an object literal sets the prototype, unless its name is computed. */
export function propertyName(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : javascriptString(key);
}

/** A template literal of the URL, with the keys that travel in it; a plain one where none does. */
export function urlLiteral(url: string, keys: readonly CopyKey[]): string {
  let text = templateText(url);
  for (const { auth, variable } of keys) {
    const value = `\${encodeURIComponent(process.env.${variable})}`;
    if (auth === 'path') text = text.replace('{key}', () => value);
    const name = parameterOf(auth);
    if (name !== undefined) text += `${url.includes('?') ? '&' : '?'}${name}=${value}`;
  }
  return text.includes('${encodeURIComponent(') ? `\`${text}\`` : javascriptString(url);
}

const templateText = (text: string): string => text.replace(/[\\`]|\$(?=\{)/g, (mark) => `\\${mark}`);
