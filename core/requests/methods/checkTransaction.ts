// Checks the transaction text of sendTransaction and simulateTransaction together with their config.
import { decodeBase58 } from '../../solana/encoding/base58';
import { base64Length, decodeBase64 } from '../../solana/encoding/base64';
import { member, type JsonValue } from '../../solana/json/json';
import { isBase58 } from '../../solana/chain/keys';
import { bareMessage, decodeTransaction, missingSignatures } from '../../solana/wire/transaction';
import {
  MAX_LEGACY_BYTES,
  MAX_V1_BYTES,
  maxTransactionBytes,
  type Transaction,
} from '../../solana/wire/transactionTypes';
import { V1 } from '../../solana/wire/messageV1';
import { meaningFaults, writtenTransaction } from './transactions/check';
import { TRANSACTION_KEY } from './records/transactionBody';
import type { Fix } from './problems';
import type { ParamsPlace, Reporter } from './reporter';
import type { ValueSpec } from './types';

type TransactionSpec = ValueSpec & { readonly kind: 'transaction' };
type WireEncoding = 'base58' | 'base64';

/** Texts above these stand for more bytes than any transaction format has; they are judged by length alone. */
const MAX_BASE58_DIGITS = 6000;
const MAX_BASE64_CHARACTERS = 8192;
/** From here on a first byte is the version of a message; below, it counts signatures. */
const FIRST_VERSION = 0x80;
/** log(58) / log(256). */
const BYTES_PER_DIGIT = 0.7322;

/** `at`: index of the transaction in params; its config is the parameter after it. A value of another type is not judged. */
export function checkTransaction(
  report: Reporter,
  spec: TransactionSpec,
  params: readonly JsonValue[],
  at: number,
): void {
  const place: ParamsPlace = { parent: undefined, step: at };
  const text = params[at];
  const config = params[at + 1];
  const body = writtenTransaction(text);
  if (body !== undefined) return checkBody(report, body, at);
  if (typeof text !== 'string' || report.isUnknown(config)) return;
  const encoding = wireEncodingOf(member(config, 'encoding'));
  if (encoding === undefined) return;
  const switchTo = (other: WireEncoding): readonly Fix[] => [
    { kind: 'set', path: [at + 1], members: { encoding: other } },
  ];
  if (report.isWalletTransaction(text)) {
    if (encoding === 'base64') return;
    const message = 'The wallet gives base64: the options have to say "encoding": "base64".';
    report.value('transaction-encoding', place, message, switchTo('base64'));
    return;
  }
  const transaction = decodeText(text, encoding);
  if (transaction !== undefined) {
    checkSize(report, transaction.size, mostBytes(transaction, encoding), place);
    if (spec.mustBeSigned !== 'sigVerify' || member(config, 'sigVerify') === true)
      checkSigned(report, transaction, place);
    return;
  }
  if (report.isUnknown(text)) return;
  const other = encoding === 'base58' ? 'base64' : 'base58';
  if (decodeText(text, other) !== undefined) {
    const said = member(config, 'encoding') === undefined ? `is ${encoding} when left out` : `says ${encoding}`;
    const message = `This transaction is written in ${other}, and the encoding ${said}.`;
    report.value('transaction-encoding', place, message, switchTo(other));
    return;
  }
  checkText(report, text, encoding, place);
}

/** Checks the members of `$transaction` against each other; their shape was checked with the other parameters. */
function checkBody(report: Reporter, body: JsonValue, at: number): void {
  const { programs } = report;
  const isUnknown = (value: JsonValue): boolean => report.isUnknown(value);
  const before = [at, TRANSACTION_KEY];
  const shape = report.problems.flatMap(({ path }) => (path[0] === at ? [path.slice(before.length)] : []));
  for (const { code, path, target, message, near } of meaningFaults(
    body,
    { programs, wallet: undefined, isUnknown },
    shape,
  ))
    report.found({
      code,
      severity: 'error',
      target,
      path: [...before, ...path],
      message,
      fixes:
        near === undefined
          ? []
          : [target === 'key' ? { kind: 'rename', name: near } : { kind: 'replace', value: near }],
    });
}

/** `undefined`: the encoding is wrong or not known yet, so that nothing can be said about the text. */
function wireEncodingOf(value: JsonValue | undefined): WireEncoding | undefined {
  if (value === undefined || value === null || value === 'base58' || value === 'binary') return 'base58';
  return value === 'base64' ? 'base64' : undefined;
}

function decodeText(text: string, encoding: WireEncoding): Transaction | undefined {
  const bytes =
    encoding === 'base64'
      ? text.length <= MAX_BASE64_CHARACTERS && decodeBase64(text)
      : text.length <= MAX_BASE58_DIGITS && decodeBase58(text);
  if (bytes === undefined || bytes === false) return undefined;
  const decoded = decodeTransaction(bytes);
  return decoded.ok ? decoded.value : undefined;
}

/** Checks text that is not a transaction in either encoding: its alphabet, its length, its first byte. */
function checkText(report: Reporter, text: string, encoding: WireEncoding, place: ParamsPlace): void {
  if (encoding === 'base64') {
    const length = base64Length(text);
    if (length < 0) report.value('not-base64', place, 'The encoding is base64, but this is not valid base64.');
    else checkBytes(report, decodeBase64(text.slice(0, MAX_BASE64_CHARACTERS)), length, { encoding, place });
  } else if (!isBase58(text)) {
    report.value('not-base58', place, 'The default encoding is base58, but this is not valid base58.');
  } else {
    const decoded = text.length <= MAX_BASE58_DIGITS ? decodeBase58(text) : undefined;
    const length = decoded?.length ?? Math.floor(text.length * BYTES_PER_DIGIT);
    checkBytes(report, decoded, length, { encoding, place });
  }
}

interface Given {
  readonly encoding: WireEncoding;
  readonly place: ParamsPlace;
}

/**
 * Bytes that begin with a version are refused by a rule that can be named; those that begin with a count of signatures may
 * be anything, and are judged by their length alone, unless they are a message without its signatures.
 */
function checkBytes(report: Reporter, bytes: Uint8Array | undefined, length: number, { encoding, place }: Given): void {
  const first = bytes?.[0] ?? 0;
  const most = first === V1 && encoding === 'base64' ? MAX_V1_BYTES : MAX_LEGACY_BYTES;
  const isOpen = bytes !== undefined && first < FIRST_VERSION && bareMessage(bytes) === undefined;
  if (bytes === undefined || isOpen || length > most) {
    checkSize(report, length, most, place);
    return;
  }
  const decoded = decodeTransaction(bytes);
  const what = first === V1 ? 'version 1 transaction' : 'transaction';
  if (!decoded.ok) report.value('transaction-malformed', place, `Nodes refuse this ${what}: ${decoded.reason}.`);
}

/** Most bytes that nodes take of this transaction written so: base58 carries no more than a packet, of any version. */
const mostBytes = ({ message }: Transaction, encoding: WireEncoding): number =>
  encoding === 'base58' ? MAX_LEGACY_BYTES : maxTransactionBytes(message.version);

function checkSize(report: Reporter, bytes: number, most: number, place: ParamsPlace): void {
  if (bytes <= most) return;
  report.value('transaction-too-large', place, `The transaction has ${bytes} bytes, and nodes take at most ${most}.`);
}

function checkSigned(report: Reporter, transaction: Transaction, place: ParamsPlace): void {
  const missing = missingSignatures(transaction).length;
  if (missing === 0) return;
  const all = transaction.message.requiredSignatures;
  const message = `The transaction is not signed: ${missing} of ${all} signature${all === 1 ? '' : 's'} missing.`;
  report.value('transaction-unsigned', place, message);
}
