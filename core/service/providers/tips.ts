// Whether what is sent pays the tip that its sender wants, as far as the instructions of the transactions show. Builds no
// tip and refuses nothing. Pure.
import { callsIn, methodOf } from '../../solana/json/calls';
import { encodeBase58 } from '../../solana/encoding/base58';
import { ByteReader } from '../../solana/encoding/bytes';
import { isJsonArray, member, type JsonValue } from '../../solana/json/json';
import { transactionFromText } from '../../solana/wire/transactionText';
import type { Instruction, Message } from '../../solana/wire/transactionTypes';
import { matchAddress } from './match';
import type { Provider, SenderTip } from './types';

interface WantedTip {
  readonly provider: Provider;
  readonly accounts: readonly string[];
  /** The least tip, in lamports. */
  readonly lamports: bigint;
}

/** The tip that the sender at an address wants; undefined if it is not a known sender, or its accounts are unknown. */
export function wantedTip(url: string): WantedTip | undefined {
  const match = matchAddress(url, 'swqos');
  const tip = match?.provider.tip;
  if (match === undefined || tip === undefined || tip.accounts.length === 0) return undefined;
  const { provider, extras } = match;
  const isReduced = extras.some(({ name, value }) => `${name}=${value.text}` === tip.reduced?.parameter);
  return { provider, accounts: tip.accounts, lamports: BigInt(lamportsOf(tip, isReduced)) };
}

const lamportsOf = ({ lamports, reduced }: SenderTip, isReduced: boolean): number =>
  isReduced ? (reduced?.lamports ?? lamports) : lamports;

/** A sentence if a JSON-RPC body sends without the tip; undefined if the tip is there, or that cannot be decided. */
export function tipProblem(tip: WantedTip, call: JsonValue): string | undefined {
  const texts = transactionTexts(call);
  const transactions = texts.map((text) => (typeof text === 'string' ? transactionFromText(text) : undefined));
  // An unreadable transaction may contain the tip.
  if (transactions.length === 0 || transactions.includes(undefined)) return undefined;
  let paid = 0n;
  for (const transaction of transactions) {
    const lamports = transaction === undefined ? undefined : tipIn(transaction.message, tip.accounts);
    if (lamports === undefined) return undefined;
    paid += lamports;
  }
  if (paid >= tip.lamports) return undefined;
  const { name } = tip.provider;
  return paid === 0n
    ? `${name} wants a tip: nothing here transfers ${tip.lamports} lamports or more to one of its tip accounts, such as ${tip.accounts[0] ?? ''}.`
    : `${name} wants a tip of at least ${tip.lamports} lamports: this one has ${paid}.`;
}

/** The sentences for every call of a body that is ready to leave. */
export function tipProblems(url: string, body: JsonValue): readonly string[] {
  const tip = wantedTip(url);
  if (tip === undefined) return [];
  return callsIn(body).flatMap(({ request }) => tipProblem(tip, request) ?? []);
}

/** The texts of the transactions that a call sends: of a bundle all of them. */
function transactionTexts(call: JsonValue): readonly JsonValue[] {
  const params = member(call, 'params');
  const first = isJsonArray(params) ? params[0] : undefined;
  if (first === undefined) return [];
  switch (methodOf(call)) {
    case 'sendTransaction':
      return [first];
    case 'sendBundle':
      return isJsonArray(first) ? first : [];
    default:
      return [];
  }
}

/** Lamports to tip accounts; undefined where an address out of a lookup table is paid, which may be one. */
function tipIn(message: Message, accounts: readonly string[]): bigint | undefined {
  let paid = 0n;
  for (const instruction of message.instructions) {
    const transfer = transferOf(message, instruction);
    if (transfer === undefined) continue;
    const key = message.accountKeys[transfer.to];
    if (key === undefined) return undefined;
    if (accounts.includes(encodeBase58(key))) paid += transfer.lamports;
  }
  return paid;
}

/** Place of the receiver in the System Program's Transfer (2) and TransferWithSeed (11). */
const RECEIVER: Readonly<Record<number, number>> = { 2: 1, 11: 2 };

function transferOf(
  message: Message,
  { program, accounts, data }: Instruction,
): { readonly to: number; readonly lamports: bigint } | undefined {
  // The System Program's address is 32 zero bytes.
  if (message.accountKeys[program]?.every((byte) => byte === 0) !== true) return undefined;
  const reader = new ByteReader(data);
  const place = RECEIVER[reader.u32()];
  const to = place === undefined ? undefined : accounts[place];
  const lamports = reader.u64();
  return to === undefined || reader.failed ? undefined : { to, lamports };
}
