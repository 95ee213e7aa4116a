// Methods that bring transactions: send, simulate, the faucet, and the fee of a message.
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { isJsonArray, member, type JsonObject, type JsonValue } from '../../../core/solana/json/json';
import type { Route, WireJson } from '../../api';
import { innerOf, preflight, simulate, type Simulation } from '../../ledger/engine/execute';
import { feeOf } from '../../ledger/engine/fees';
import { resolveLookups } from '../../ledger/accounts/lookupTables';
import { nonceAccountOf } from '../../ledger/accounts/nonce';
import type { LedgerView } from '../../ledger/state';
import {
  decodeMessageStrictly,
  decodeStrictly,
  MAX_LEGACY_BYTES,
  MAX_V1_BYTES,
  mostBytes,
  onBlockhash,
  signatureOf,
} from '../../ledger/transaction/wire';
import type { SentTransaction, StrictTransaction } from '../../ledger/transaction/wireTypes';
import type { AgaveLine } from '../../ledger/types';
import { WireError } from '../../ledger/transaction/wireReader';
import { encodeAccount, type AccountEncoding } from '../format/encode';
import { base58Fault, base64Fault } from '../format/encodingFaults';
import { errorText } from '../format/errorText';
import { RpcFailure, invalidParams } from '../failure';
import { strictBase64 } from '../format/filters';
import { viewAt, withContext, type Method, type MethodService } from './method';
import {
  addressParam,
  boolOf,
  commitmentName,
  commitmentOf,
  configOf,
  nameParam,
  optionalParam,
  positional,
  stringOf,
  u64Param,
  wrongParamType,
  usizeOf,
} from '../format/params';
import { innerInstructionsJson, returnDataJson, tokenBalanceJson } from '../format/transactionJson';

/** The longest texts: base58 of one packet, base64 of one, base64 of a version 1 transaction. */
const MAX_BASE58 = 1683;
const MAX_BASE64 = 1644;
const MAX_BASE64_V1 = 5464;
/** Base64 that begins with the byte 0x81: a version 1 transaction. */
const BEGINS_AS_V1 = /^g[Q-Za-f]/;
/** A node's name for the type it reads. */
const TRANSACTION = 'solana_transaction::versioned::VersionedTransaction';
const MESSAGE = 'solana_message::versions::VersionedMessage';

const OPEN: Route = { kind: 'open' };

const sendTransaction: Method = (service, params, { route }) => {
  const [text, second] = positional(params, 1, 2);
  const config = configOf(second);
  const skipPreflight = optionalParam(config, 'skipPreflight', boolOf) ?? false;
  const given = optionalParam(config, 'preflightCommitment', commitmentName) ?? 'finalized';
  const maxRetries = optionalParam(config, 'maxRetries', (retries) => Number(usizeOf(retries)));
  const packet = packetOf(text, config, service.state.release.line);
  const view = viewAt(service, config, skipPreflight ? 'processed' : given);
  requireFetched(service, packet, view);
  requireTables(packet, view);
  if (!skipPreflight) requirePass(service, packet, view);
  const sending = { ...packet, verified: !skipPreflight, maxRetries, route: route ?? (() => OPEN) };
  const landing = service.leader.send(sending);
  // The state of the preflight may be older than the open block, which then says why it refuses; a transaction that
  // has landed since is sent again, as by a client that waits for it. Without preflight a node passes the packet on and says no
  // more: a transaction refused from here on never lands, as on a cluster.
  if (landing?.kind === 'refused' && landing.err !== 'AlreadyProcessed' && !skipPreflight)
    requirePass(service, packet, service.state.view('processed'));
  return signatureOf(packet.transaction);
};

/** On a fork every account of a transaction is there before it runs. */
function requireFetched(
  { state }: MethodService,
  { transaction: { message } }: SentTransaction,
  view: LedgerView,
): void {
  if (state.fork === undefined) return;
  state.fork.need(message.lookups.map(({ table }) => table));
  const { loaded } = resolveLookups(message, view);
  state.fork.need([...message.staticKeys, ...loaded.writable, ...loaded.readonly]);
}

/** A node needs the lookup tables to know the accounts: without them it takes no transaction, with and without preflight. */
function requireTables({ transaction }: SentTransaction, view: LedgerView): void {
  const { err } = resolveLookups(transaction.message, view);
  if (err !== undefined) throw invalidParams(`invalid transaction: ${errorText(err)}`);
}

/** Throws -32002 for a transaction that would fail, a signature that does not verify among the reasons (since Agave 3.1). */
function requirePass(service: MethodService, packet: SentTransaction, view: LedgerView): void {
  const { err, details } = preflight(service.state, packet, view);
  if (err === null) return;
  throw new RpcFailure(-32002, `Transaction simulation failed: ${errorText(err)}`, {
    ...simulationJson(details()),
    ...NOT_OF_PREFLIGHT,
  });
}

/** Members of a simulation that are null in a node's error of a failed preflight. */
const NOT_OF_PREFLIGHT = {
  loadedAddresses: null,
  postBalances: null,
  postTokenBalances: null,
  preBalances: null,
  preTokenBalances: null,
} as const;

function simulationJson(result: Simulation): Readonly<Record<string, WireJson>> {
  const { run, before, after } = result;
  return {
    accounts: null,
    err: result.err,
    fee: result.fee ?? null,
    innerInstructions: null,
    loadedAccountsDataSize: result.loadedBytes,
    loadedAddresses: { ...result.loadedAddresses },
    logs: run.logs,
    postBalances: after.lamports,
    postTokenBalances: after.tokens.map(tokenBalanceJson),
    preBalances: before.lamports,
    preTokenBalances: before.tokens.map(tokenBalanceJson),
    replacementBlockhash: null,
    returnData: run.returnData === null ? null : returnDataJson(run.returnData),
    unitsConsumed: run.computeUnits,
  };
}

const simulateTransaction: Method = (service, params) => {
  const [text, second] = positional(params, 1, 2);
  const config = configOf(second);
  const sigVerify = optionalParam(config, 'sigVerify', boolOf) ?? false;
  const replace = optionalParam(config, 'replaceRecentBlockhash', boolOf) ?? false;
  const inner = optionalParam(config, 'innerInstructions', boolOf) ?? false;
  if (sigVerify && replace) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
  const view = viewAt(service, config, commitmentOf(config));
  const given = packetOf(text, config, service.state.release.line);
  requireFetched(service, given, view);
  requireTables(given, view);
  const wanted = optionalParam(config, 'accounts', (value) => wantedAccountsOf(value, given));
  const latest = service.state.chain.latestBlockhash(view.height);
  const wire = replace ? onBlockhash(given.wire, given.transaction, latest.blockhash) : given.wire;
  const transaction = replace ? decodeStrictly(wire) : given.transaction;
  const sent = { wire, transaction };
  const result = simulate(service.state, sent, view, { verifySignatures: sigVerify, checkAge: !replace });
  return withContext(view, {
    ...simulationJson(result),
    ...(wanted !== undefined && { accounts: accountsAfter(result, wanted, view) }),
    ...(inner && {
      innerInstructions: innerInstructionsJson(innerOf(result.run), result.accountKeys, view.release.line),
    }),
    ...(replace && { replacementBlockhash: latest }),
  });
};

interface WantedAccounts {
  readonly addresses: readonly string[];
  readonly encoding: AccountEncoding;
}

function wantedAccountsOf(value: JsonValue, { transaction }: SentTransaction): WantedAccounts {
  const config = configOf(value);
  const addresses = member(config, 'addresses');
  if (!isJsonArray(addresses)) throw wrongParamType(addresses, 'a sequence');
  const { staticKeys, lookups } = transaction.message;
  const most = lookups.reduce(
    (sum, use) => sum + use.writableIndexes.length + use.readonlyIndexes.length,
    staticKeys.length,
  );
  if (addresses.length > most) throw invalidParams(`Too many accounts provided; max ${most}`);
  const encoding = optionalParam(
    config,
    'encoding',
    nameParam<AccountEncoding>(['base64', 'base64+zstd', 'jsonParsed', 'base58']),
  );
  if (encoding === 'base58') throw invalidParams('base58 encoding not supported');
  return { addresses: addresses.map(addressParam), encoding: encoding ?? 'base64' };
}

/** The wanted accounts as the simulation left them; a failed one left none. */
function accountsAfter(result: Simulation, { addresses, encoding }: WantedAccounts, view: LedgerView): WireJson {
  const after = {
    release: view.release,
    get: (address: string) => result.run.postAccounts.get(address) ?? view.get(address),
  };
  return addresses.map((address) => {
    if (result.err !== null) return null;
    const account = after.get(address);
    return account === undefined || account.lamports === 0n
      ? null
      : encodeAccount(address, account, { encoding }, after);
  });
}

const requestAirdrop: Method = (service, params) => {
  const [address, amount, config] = positional(params, 2, 3);
  const key = addressParam(address);
  const lamports = u64Param(amount);
  const options = configOf(config);
  commitmentOf(options);
  const blockhash = optionalParam(options, 'recentBlockhash', addressParam);
  if (lamports === 0n) throw invalidParams('Invalid param: lamports must be at least 1');
  service.state.fork?.need([key]);
  const landing = service.leader.landed(service.faucet.give(key, lamports, blockhash));
  if (landing.kind === 'refused') throw new RpcFailure(-32603, `airdrop request failed: ${errorText(landing.err)}`);
  // As on a node, the status of an airdrop that fails on the ledger says why.
  return landing.record.signature;
};

const getFeeForMessage: Method = (service, params) => {
  const [text, second] = positional(params, 1, 2);
  const bytes = bytesIn(stringOf(text), 'base64', MESSAGE);
  const view = viewAt(service, configOf(second));
  const message = decoded(MESSAGE, () => decodeMessageStrictly(bytes));
  const valid = service.state.chain.isBlockhashValid(message.blockhash, view.height);
  const { blockhash } = service.state.chain.latestBlockhash(view.height);
  const usable = valid || nonceAccountOf(message, view, blockhash) !== undefined;
  return withContext(view, usable ? feeOf(message) : null);
};

/** Reads the packet a call carries, by its `encoding` (base58 when left out, as the contract says). */
function packetOf(value: JsonValue | undefined, config: JsonObject, line: AgaveLine): SentTransaction {
  const text = stringOf(value);
  const encoding = optionalParam(config, 'encoding', stringOf) ?? 'base58';
  if (encoding !== 'base58' && encoding !== 'base64')
    throw invalidParams(`unsupported encoding: ${encoding}. Supported encodings: base58, base64`);
  const wire = bytesIn(text, encoding, TRANSACTION);
  return { wire, transaction: decoded(TRANSACTION, () => known(decodeStrictly(wire), line)) };
}

/** Version 1 came after the older releases. Throws WireError. */
function known(transaction: StrictTransaction, line: AgaveLine): StrictTransaction {
  if (line === '3.1' && transaction.message.version === 1) throw new WireError('version 1 is not supported');
  return transaction;
}

/** The bytes of a text. Throws -32602 where text or bytes are too long, or the text is not of its encoding. */
function bytesIn(text: string, encoding: 'base58' | 'base64', what: string): Uint8Array {
  const { characters, bytes } = mostIn(text, encoding);
  if (text.length > characters)
    throw invalidParams(
      `${encoding} encoded ${what} too large: ${text.length} bytes (max: encoded/raw ${characters}/${bytes})`,
    );
  const wire = encoding === 'base58' ? decodeBase58(text) : strictBase64(text);
  if (wire === undefined)
    throw invalidParams(
      `invalid ${encoding} encoding: ${encoding === 'base58' ? base58Fault(text) : base64Fault(text)}`,
    );
  const most = Math.min(bytes, mostBytes(wire[0]));
  if (wire.length > most) throw invalidParams(`decoded ${what} too large: ${wire.length} bytes (max: ${most} bytes)`);
  return wire;
}

function mostIn(text: string, encoding: 'base58' | 'base64'): { readonly characters: number; readonly bytes: number } {
  if (encoding === 'base58') return { characters: MAX_BASE58, bytes: MAX_LEGACY_BYTES };
  return BEGINS_AS_V1.test(text)
    ? { characters: MAX_BASE64_V1, bytes: MAX_V1_BYTES }
    : { characters: MAX_BASE64, bytes: MAX_LEGACY_BYTES };
}

function decoded<T>(what: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof WireError) throw invalidParams(`failed to deserialize ${what}: ${error.message}`);
    throw error;
  }
}

export const sendMethods = { getFeeForMessage, requestAirdrop, sendTransaction, simulateTransaction } as const;
