// Decoded values as text for people: one line per value, one line per field. Foreign text is cut and stripped of control
// characters here, but not of HTML or Markdown, which the view has to escape.
import { withoutUnseen } from '../common/unseen';
import { addressName } from '../chain/addresses';
import type { DecodedField, DecodedValue } from './decoded';
import type { DecodedUnit } from '../layouts/unit';
import { formatSol, formatUnits, groupDigits } from '../chain/lamports';

/** Longer texts are cut, in UTF-16 units. */
const MAX_TEXT = 1_024;
/** Longer bytes are cut, in bytes. */
const MAX_BYTES = 64;
/** Lists with at most this many items are on one line. */
const MAX_INLINE = 8;

/** One line. */
export function valueText(value: DecodedValue): string {
  switch (value.kind) {
    case 'text':
      return visibleText(value.text);
    case 'integer':
      return value.unit === undefined ? value.value.toString() : amountText(value.value, value.unit);
    case 'float':
      return String(value.value);
    case 'pubkey': {
      const name = addressName(value.address);
      return name === undefined ? value.address : `${value.address} (${name})`;
    }
    case 'bytes':
      return value.unread === undefined
        ? bytesText(value.bytes)
        : `cannot read ${visibleText(value.unread)}: ${bytesText(value.bytes)}`;
    case 'flag':
      return value.value ? 'true' : 'false';
    case 'none':
      return 'none';
    case 'list': {
      const shown = value.items.slice(0, MAX_INLINE).map(valueText);
      const more = value.items.length - shown.length + (value.more ?? 0);
      if (more > 0) shown.push(`${shown.length === 0 ? '' : 'and '}${groupDigits(String(more))} more`);
      return `[${shown.join(', ')}]`;
    }
    case 'fields': {
      const inside = value.fields
        .slice(0, MAX_INLINE)
        .map((field) => `${visibleText(field.name)}: ${valueText(field.value)}`);
      if (value.fields.length > MAX_INLINE) inside.push(`and ${value.fields.length - MAX_INLINE} more`);
      const body = inside.length === 0 ? '' : `{ ${inside.join(', ')} }`;
      return (
        [value.name === undefined ? '' : visibleText(value.name), body].filter((part) => part !== '').join(' ') || '{}'
      );
    }
  }
}

/** An exact number with its unit: `1.5 SOL`, `12.5 (raw 12500000)`. */
export function amountText(value: bigint, unit: DecodedUnit): string {
  const digits = value < 0n ? `-${groupDigits((-value).toString())}` : groupDigits(value.toString());
  switch (unit.kind) {
    case 'lamports':
      return `${digits} lamports (${formatSol(value)})`;
    case 'tokens':
      return unit.decimals === undefined ? `${digits} raw` : `${formatUnits(value, unit.decimals)} (raw ${value})`;
    case 'amount':
      return `${formatUnits(value, unit.decimals)}${unit.symbol === undefined ? '' : ` ${visibleText(unit.symbol)}`} (raw ${value})`;
    case 'unixTime':
      return timeText(value);
    case 'basisPoints':
      return `${formatUnits(value, 2)} % (${digits} basis points)`;
    case 'percent':
      return `${digits} %`;
    case 'bytes':
      return `${digits} bytes`;
    case 'computeUnits':
      return `${digits} compute units`;
    case 'microLamports':
      return `${digits} micro-lamports`;
    case 'slot':
    case 'epoch':
      return digits;
  }
}

/** The last second a Date can hold. */
const MAX_SECONDS = 8_640_000_000_000n;

/** `2025-01-31T12:00:00Z (1738324800)`; the number alone where no calendar reaches. */
export function timeText(seconds: bigint): string {
  if (seconds > MAX_SECONDS || seconds < -MAX_SECONDS) return seconds.toString();
  return `${new Date(Number(seconds) * 1_000).toISOString().replace('.000Z', 'Z')} (${seconds})`;
}

/** `0x` and hex digits, cut beyond 64 bytes with the whole length after it. */
export function bytesText(bytes: Uint8Array): string {
  const hex = hexOf(bytes.subarray(0, MAX_BYTES));
  return bytes.length > MAX_BYTES ? `0x${hex}… (${groupDigits(String(bytes.length))} bytes)` : `0x${hex}`;
}

/** Where a log ends early: `unread` more lines were not read, or else the node cut it. */
export const cutLogText = (unread: number | undefined): string =>
  unread === undefined
    ? 'the node cut the logs here'
    : `the log has ${groupDigits(String(unread))} more ${unread === 1 ? 'line' : 'lines'}, which are not shown`;

export function hexOf(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += (byte < 16 ? '0' : '') + byte.toString(16);
  return hex;
}

/** A line of a collapsible table: depth, name, and the value in one line; empty if the rows below contain it. */
export interface DecodedRow {
  readonly depth: number;
  readonly name: string;
  readonly value: string;
  readonly isGuess?: true;
}

/** One row per field; lists and structures open below their name. */
export function fieldRows(fields: readonly DecodedField[], depth = 0): readonly DecodedRow[] {
  return fields.flatMap(({ name, value, isGuess }) => {
    const [first, ...inside] = valueRows(visibleText(name), value, depth);
    return first === undefined ? [] : [isGuess === true ? { ...first, isGuess } : first, ...inside];
  });
}

function valueRows(name: string, value: DecodedValue, depth: number): readonly DecodedRow[] {
  if (value.kind === 'fields' && value.fields.length > 0) {
    const variant = value.name === undefined ? '' : visibleText(value.name);
    return [{ depth, name, value: variant }, ...fieldRows(value.fields, depth + 1)];
  }
  if (value.kind === 'list' && value.items.length > 0) {
    const rows = value.items.flatMap((item, at) => valueRows(`[${at}]`, item, depth + 1));
    const more = value.more ?? 0;
    const count = groupDigits(String(value.items.length + more));
    const rest = more > 0 ? [{ depth: depth + 1, name: '…', value: `${groupDigits(String(more))} more` }] : [];
    return [{ depth, name, value: value.items.length + more === 1 ? '1 item' : `${count} items` }, ...rows, ...rest];
  }
  return [{ depth, name, value: valueText(value) }];
}

/** A row as a line, indented by two spaces a level. */
export function rowLine({ depth, name, value, isGuess }: DecodedRow): string {
  return `${'  '.repeat(depth)}${name}${isGuess === true ? ' (guess)' : ''}:${value === '' ? '' : ` ${value}`}`;
}

/** One line per field. */
export const fieldLines = (fields: readonly DecodedField[]): string[] => fieldRows(fields).map(rowLine);

/** Text from outside as part of one line. */
export function visibleText(text: string): string {
  const line = withoutUnseen(text.slice(0, MAX_TEXT));
  return text.length > MAX_TEXT ? `${line}…` : line;
}
