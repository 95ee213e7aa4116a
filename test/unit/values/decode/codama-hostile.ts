// Codama documents that chance has damaged, and data for them: what the readers make of both, checked for what must never be.
import { decodeArguments, decodeRecord } from '../../../../core/solana/decode/idl/decode';
import type { Idl } from '../../../../core/solana/decode/idl/model';
import { readIdl } from '../../../../core/solana/decode/idl/read';
import type { DecodedField, DecodedValue } from '../../../../core/solana/decode/decoded';
import { fieldLines } from '../../../../core/solana/decode/decodedText';
import {
  account,
  argument,
  byField,
  field,
  number,
  numberValue,
  root,
  struct,
  type Node,
} from '../../../support/data/codama';
import { Generator, randomOf, type Random } from '../../../support/data/codamaPrograms';
import { layOut } from '../../../support/data/layouts';

export interface HostileRun {
  /** Documents that were still read. */
  readonly read: number;
  /** Accounts and instructions that were decoded. */
  readonly decoded: number;
  /** Milliseconds of the slowest document with its data. */
  readonly slowest: number;
  readonly problems: readonly string[];
}

/** As the decoder bounds them. */
const MAX_ITEMS = 1_024;
const MAX_VALUES = 100_000;
const MAX_DEPTH = 200;

/** Reads so many damaged documents; the same ones for one seed. */
export function readHostile(documents: number, seed: number): HostileRun {
  const random = randomOf(seed * 2_654_435_761 + 1);
  const problems: string[] = [];
  let read = 0;
  let decoded = 0;
  let slowest = 0;
  for (let at = 0; at < documents && problems.length < 20; at++) {
    const { document, value } = sound(randomOf(1 + random(1_000_000_000)));
    const text = damaged(document, random);
    const since = performance.now();
    try {
      const { idl } = readIdl(text);
      if (idl !== undefined) {
        read++;
        decoded += decodeAll(idl, [value, ...hostileData(value, random)]);
      }
    } catch (error) {
      problems.push(
        `document ${at}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n${text}`,
      );
    }
    slowest = Math.max(slowest, performance.now() - since);
  }
  return { read, decoded, slowest, problems };
}

/** A valid document with one account and one instruction, and a value of both. */
function sound(random: Random): { readonly document: Node; readonly value: Uint8Array } {
  const generator = new Generator(random);
  const made = Array.from({ length: 1 + random(3) }, () => generator.type());
  const tag = { defaultValue: numberValue(1) };
  const document = root({
    definedTypes: generator.definedTypes(),
    accounts: [
      account('state', struct(field('tag', number('u8'), tag), ...made.map(({ node }, at) => field(`f${at}`, node))), [
        byField('tag', 0),
      ]),
    ],
    instructions: [
      {
        kind: 'instructionNode',
        name: 'call',
        arguments: [argument('tag', number('u8'), tag), ...made.map(({ node }, at) => argument(`f${at}`, node))],
        discriminators: [byField('tag', 0)],
      },
    ],
  });
  return { document, value: layOut([1, 1], ...made.map((one) => one.value())) };
}

/** Values that nobody means well. */
const HOSTILE: readonly unknown[] = [
  null,
  -1,
  0,
  1.5,
  4_294_967_295,
  9_007_199_254_740_991,
  1e308,
  '',
  '__proto__',
  'constructor',
  [],
  {},
  { kind: 'strangeTypeNode' },
  { kind: 'remainderCountNode' },
  { kind: 'fixedCountNode', value: 4_000_000_000 },
  { kind: 'structTypeNode' },
  { kind: 'bytesTypeNode' },
  { kind: 'stringTypeNode', encoding: 'base58' },
  { kind: 'numberTypeNode', format: 'f64', endian: 'be' },
  { kind: 'numberTypeNode', format: 'i128', endian: 'le' },
];

interface Place {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

/** Swaps, removes and replaces parts of the document, sometimes characters of its text. */
function damaged(document: Node, random: Random): string {
  const copy = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
  const places: Place[] = [];
  const walk = (parent: Record<string, unknown>): void => {
    for (const [key, value] of Object.entries(parent)) {
      places.push({ parent, key });
      if (typeof value === 'object' && value !== null) walk(value as Record<string, unknown>);
    }
  };
  walk(copy);
  for (let times = 1 + random(4); times > 0; times--) {
    const place = places[random(places.length)];
    const other = places[random(places.length)];
    if (place === undefined || other === undefined) continue;
    switch (random(5)) {
      case 0:
        Reflect.deleteProperty(place.parent, place.key);
        break;
      case 1:
      case 2:
        place.parent[place.key] = HOSTILE[random(HOSTILE.length)];
        break;
      case 3:
        // A copy: JSON has no cycles, and links make them.
        place.parent[place.key] = JSON.parse(JSON.stringify(other.parent[other.key] ?? null)) as unknown;
        break;
      default:
        place.parent[place.key] = { kind: 'definedTypeLinkNode', name: nameOf(copy, random) };
    }
  }
  const text = JSON.stringify(copy);
  if (random(8) > 0) return text;
  const at = random(text.length);
  return text.slice(0, at) + '{}[]":,0-n\\'.charAt(random(11)) + text.slice(at + random(3));
}

/** The name of one of its types, itself among them. */
function nameOf(document: Record<string, unknown>, random: Random): string {
  const types = (document['program'] as Record<string, unknown> | undefined)?.['definedTypes'];
  const one: unknown = Array.isArray(types) ? (types as readonly unknown[])[random(types.length + 1)] : undefined;
  const name = typeof one === 'object' && one !== null ? (one as Record<string, unknown>)['name'] : undefined;
  return typeof name === 'string' ? name : 'gone';
}

function hostileData(value: Uint8Array, random: Random): readonly Uint8Array[] {
  const flipped = Uint8Array.from(value);
  for (let times = 0; times < 4; times++) flipped[random(flipped.length)] = random(256);
  return [
    flipped,
    value.slice(0, random(value.length + 1)),
    layOut(value.slice(0, 1 + random(value.length)), new Uint8Array(5_000).fill(random(2) * 255)),
    layOut([1, 1], new Uint8Array(20_000).fill(random(3))),
  ];
}

function decodeAll(idl: Idl, all: readonly Uint8Array[]): number {
  let count = 0;
  for (const data of all) {
    for (const record of [...idl.accounts, ...idl.events]) count += checked(decodeRecord(idl, record, data));
    for (const instruction of idl.instructions) {
      const read = decodeArguments(idl, instruction, data);
      if ('fields' in read) count += checked(read.fields);
      else if (read.unread === '') throw new Error('no reason');
    }
  }
  return count;
}

/** Throws where a decoded value is not what every view expects. */
function checked(fields: readonly DecodedField[] | undefined): number {
  if (fields === undefined) return 0;
  let values = 0;
  const check = (value: DecodedValue, depth: number): void => {
    if (++values > MAX_VALUES + 1 || depth > MAX_DEPTH) throw new Error('beyond the bounds');
    if (value.kind === 'fields') for (const inside of value.fields) check(inside.value, depth + 1);
    if (value.kind !== 'list') return;
    if (value.items.length > MAX_ITEMS || !Number.isSafeInteger(value.more ?? 0))
      throw new Error('a list out of bounds');
    for (const item of value.items) check(item, depth + 1);
  };
  for (const { value } of fields) check(value, 0);
  fieldLines(fields);
  return 1;
}
