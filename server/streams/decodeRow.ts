// What the account of one update means, as a tree for people, and what changed in it since the update before. Read when a
// row is looked at, never on the way in.
import { accountData } from '../../core/streams/yellowstone';
import { findMembers } from '../../core/streams/jsonBytes';
import { decodeBase64 } from '../../core/values/base64';
import { decodeAccount } from '../../core/values/decode';
import {
  NO_PROGRAMS,
  type AccountBytes,
  type Decoded,
  type DecodedField,
  type DecodedValue,
} from '../../core/values/decoded';
import { harmless, valueText } from '../../core/values/decodedText';
import { diffDecoded } from '../../core/values/diff';
import { guessLayout } from '../../core/values/guess';
import { isJsonArray, parseJson } from '../../core/values/json';
import type { Shape } from '../../core/streams/shape';
import type { DetailChange, DetailNode } from '../../protocol/streams';

/** Parts of one node that are told; a list of ten thousand is nobody's reading. */
const MAX_PARTS = 500;

/** The account that an update tells of; undefined where it tells of none, or of its data in another encoding. */
export function accountIn(
  shape: Shape,
  isGrpc: boolean,
  watched: string | undefined,
  bytes: Buffer,
  start: number,
  end: number,
): AccountBytes | undefined {
  const text = (field: string): string | undefined => {
    const value = shape.value(field, bytes, start, end);
    return typeof value === 'string' ? value : undefined;
  };
  const owner = text('owner');
  const lamports = shape.value('lamports', bytes, start, end);
  if (owner === undefined || (typeof lamports !== 'number' && typeof lamports !== 'bigint')) return undefined;
  const data = isGrpc ? accountData(bytes, start, end) : dataOf(bytes, start, end);
  const address = text('pubkey') ?? watched;
  if (data === undefined) return undefined;
  const executable = shape.value('executable', bytes, start, end) === true;
  return { owner, lamports: BigInt(lamports), data, executable, ...(address !== undefined && { address }) };
}

const encoder = new TextEncoder();
const PATHS = [
  ['params', 'result', 'value', 'data'],
  ['params', 'result', 'value', 'account', 'data'],
].map((path) => path.map((name) => encoder.encode(name)));

/** The data of an account notification or a program notification, where it is base64. */
function dataOf(bytes: Buffer, start: number, end: number): Uint8Array | undefined {
  const place = { start, end };
  for (const path of PATHS) {
    if (!findMembers(bytes, start, end, path, place)) continue;
    const data = parseJson(bytes.toString('utf8', place.start, place.end));
    const [text, encoding] = isJsonArray(data) ? data : [];
    return typeof text === 'string' && encoding === 'base64' ? decodeBase64(text) : undefined;
  }
  return undefined;
}

/** The account as a tree. Where its layout is not known, what its bytes look like, said to be a guess. */
export function accountNode(account: AccountBytes): DetailNode {
  const decoded = read(account);
  return {
    name: decoded.title,
    text: '',
    parts: decoded.fields.slice(0, MAX_PARTS).map(nodeOf),
  };
}

/** What is not as it was. */
export function accountChanges(before: AccountBytes, after: AccountBytes): readonly DetailChange[] {
  return diffDecoded(read(before), read(after))
    .slice(0, MAX_PARTS)
    .map((change) => ({
      path: change.path.map((step) => harmless(String(step))),
      before: change.before === undefined ? '' : valueText(change.before),
      after: change.after === undefined ? '' : valueText(change.after),
    }));
}

/** With what every account has before what its data says. */
function read(account: AccountBytes): Decoded {
  const own: readonly DecodedField[] = [
    { name: 'lamports', value: { kind: 'integer', value: account.lamports, unit: { kind: 'lamports' } } },
    { name: 'owner', value: { kind: 'pubkey', address: account.owner } },
  ];
  const known = decodeAccount(account, NO_PROGRAMS);
  if (known !== undefined) return { ...known, fields: [...own, ...known.fields] };
  return { kind: 'program', title: 'Account', fields: [...own, ...guessLayout(account.data)] };
}

function nodeOf({ name, value, isGuess }: DecodedField): DetailNode {
  const parts = partsOf(value);
  return {
    name: harmless(name),
    text: parts === undefined ? valueText(value) : value.kind === 'fields' ? harmless(value.name ?? '') : '',
    ...(value.kind === 'pubkey' && { address: value.address }),
    ...(isGuess === true && { isGuess }),
    ...(parts !== undefined && { parts }),
  };
}

function partsOf(value: DecodedValue): readonly DetailNode[] | undefined {
  if (value.kind === 'fields') return value.fields.slice(0, MAX_PARTS).map(nodeOf);
  if (value.kind !== 'list') return undefined;
  return value.items.slice(0, MAX_PARTS).map((item, at) => nodeOf({ name: String(at), value: item }));
}
