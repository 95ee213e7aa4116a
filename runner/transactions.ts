// Builds and signs the transactions of a request (`{ "$transaction": { … } }`), once per request: reads what they need from
// the endpoint, compiles them, and puts their bytes in their place. The wallet is the one of `{{$transfer …}}`; others that
// pay or sign go by the names that the user gave their keypair files.
import { compileTransaction, faultsBefore, needsOf } from '../core/requests/transaction/compile';
import { walletsNamed } from '../core/requests/methods/transactions/check';
import type { MintFacts, TransactionContext } from '../core/requests/transaction/model';
import type { TransactionFault } from '../core/requests/methods/transactions/model';
import { unitLimitFor } from '../core/requests/transaction/limits';
import {
  lineOfPath,
  transactionsIn,
  withTransactions,
  type PlacedTransaction,
} from '../core/requests/transaction/places';
import { invalidRequest } from '../core/service/errors';
import { wantedTip } from '../core/service/providers/tips';
import { lookUp } from '../core/requests/document/variables/answer';
import { NoValue } from '../core/requests/run/evaluate';
import type { PreparedRequest } from '../core/requests/run/model';
import type { Located } from '../core/requests/run/source';
import { decodeAccount } from '../core/solana/decode/decode';
import { NO_PROGRAMS, type Decoded } from '../core/solana/decode/decoded';
import { encodeBase58 } from '../core/solana/encoding/base58';
import { decodeBase64, encodeBase64 } from '../core/solana/encoding/base64';
import { integerOf, isJsonArray, printJson, type JsonValue } from '../core/solana/json/json';
import { SIGNATURE_BYTES } from '../core/solana/chain/keys';
import { NO_BLOCKHASH, withBlockhash, writeTransaction } from '../core/solana/wire/messageWriter';
import { agreedByWallets, ask, freshBlockhash, HelperFailed, walletAddress, type HelperContext } from './outside';
import type { WalletName } from './ports';

/** The request with its transactions as bytes. Throws NoValue, HelperFailed, Cancelled. */
export async function withBuiltTransactions(
  at: Located,
  request: PreparedRequest,
  context: HelperContext,
): Promise<PreparedRequest> {
  if (request.transport === 'GRPC') return request;
  const placed = transactionsIn(request.body);
  if (placed.length === 0) return request;
  const programs = (await context.ports.programs?.(context.endpoint)) ?? NO_PROGRAMS;
  // All of them are judged before anything is asked of a node, or of a wallet.
  for (const one of placed) requireNone(at, one, faultsBefore(one.value, { programs, wallet: undefined }));
  const all: { readonly one: PlacedTransaction; readonly wallets: SigningWallets }[] = [];
  for (const one of placed) all.push({ one, wallets: await walletsOf(one, context) });
  for (const { one, wallets } of all)
    requireNone(at, one, faultsBefore(one.value, { programs, wallet: wallets.wallet }));
  const url = context.ports.urlOf(request);
  const tipAccount = url === undefined ? undefined : wantedTip(url)?.accounts[0];
  const world = { at, programs, ...(tipAccount !== undefined && { tipAccount }) };
  const agreed: { readonly placed: PlacedTransaction; readonly finish: () => Promise<string> }[] = [];
  for (const { one, wallets } of all)
    agreed.push({ placed: one, finish: await draft(one, { ...world, wallets }, context) });
  const built: { placed: PlacedTransaction; text: string }[] = [];
  for (const { placed: one, finish } of agreed) built.push({ placed: one, text: await finish() });
  return { ...request, body: withTransactions(request.body, built) };
}

/** Addresses of the wallets of one transaction, and their names by address. */
interface SigningWallets extends Pick<TransactionContext, 'wallet' | 'feePayer' | 'signers'> {
  readonly names: ReadonlyMap<string, WalletName>;
}

/** Throws HelperFailed, Cancelled. */
async function walletsOf({ value }: PlacedTransaction, context: HelperContext): Promise<SigningWallets> {
  const names = new Map<string, WalletName>();
  const addressOf = async (name: WalletName): Promise<string> => {
    const address = await walletAddress(context, name);
    // The endpoint's own asks least.
    if (name === undefined || !names.has(address)) names.set(address, name);
    return address;
  };
  let feePayer: string | undefined;
  const signers: string[] = [];
  for (const { name, path } of walletsNamed(value)) {
    const address = await addressOf(name);
    if (path[0] === 'feePayer') feePayer = address;
    else signers.push(address);
  }
  if (feePayer === undefined) return { wallet: await addressOf(undefined), signers, names };
  // Without a wallet at the endpoint, the fee payer takes its place.
  const hasOwn = (await context.ports.wallet.identity(context.endpoint)) !== '';
  return { wallet: hasOwn ? await addressOf(undefined) : feePayer, feePayer, signers, names };
}

interface BuildWorld extends Pick<TransactionContext, 'programs' | 'tipAccount'> {
  readonly at: Located;
  readonly wallets: SigningWallets;
}

/** Has its wallets agree to it; the call that is returned gives it a blockhash and its signatures. */
async function draft(
  placed: PlacedTransaction,
  { at, wallets: { names, ...wallets }, ...given }: BuildWorld,
  context: HelperContext,
): Promise<() => Promise<string>> {
  const { value } = placed;
  const { mints, tables, simulates } = needsOf(value);
  const accounts = await readAccounts([...mints, ...tables], context);
  const facts = { ...given, ...wallets, mints: mintsIn(mints, accounts), tables: tablesIn(tables, accounts) };
  const compiled = (more: Pick<TransactionContext, 'simulatedLimit'>) => {
    const made = compileTransaction(value, { ...facts, ...more, blockhash: NO_BLOCKHASH });
    if (made.ok) return made;
    requireNone(at, placed, made.faults);
    throw new NoValue('The transaction cannot be built.');
  };
  const simulatedLimit = simulates ? await simulatedUnits(compiled({}), context) : undefined;
  const { version, message, signers } = compiled(simulatedLimit === undefined ? {} : { simulatedLimit });
  const sign = placed.isSigned
    ? await agreedByWallets(
        message,
        signers.map((address) => names.get(address)),
        context,
      )
    : async () => ({
        message: withBlockhash(message, await freshBlockhash(context)),
        signatures: signers.map(() => new Uint8Array(SIGNATURE_BYTES)),
      });
  return async () => {
    const signed = await sign();
    const bytes = writeTransaction(version, signed.message, signed.signatures);
    return placed.encoding === 'base64' ? encodeBase64(bytes) : encodeBase58(bytes);
  };
}

/** Throws NoValue with the first fault and its line. */
function requireNone(at: Located, { path }: PlacedTransaction, faults: readonly TransactionFault[]): void {
  const [fault, ...more] = faults;
  if (fault === undefined) return;
  const line = lineOfPath(at.placed, [...path, '$transaction', ...fault.path]);
  const where = fault.path.length === 0 ? '' : `, ${pathText(fault.path)}`;
  const rest =
    more.length === 0 ? '' : ` There ${more.length === 1 ? 'is 1 fault' : `are ${more.length} faults`} more.`;
  throw new NoValue(`Line ${line}${where}: ${fault.message}${rest}`);
}

const pathText = (path: TransactionFault['path']): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');

/** Accounts as they are now, by address; those that are not there are left out. */
async function readAccounts(
  addresses: readonly string[],
  context: HelperContext,
): Promise<ReadonlyMap<string, { readonly owner: string; readonly decoded: Decoded | undefined }>> {
  if (addresses.length === 0) return new Map();
  const config = `{"encoding":"base64","commitment":"${context.commitment()}"}`;
  const answer = await ask('getMultipleAccounts', `[${JSON.stringify(addresses)},${config}]`, context);
  const values = lookUp(answer, ['result', 'value']);
  const found = addresses.flatMap((address, index) => {
    const value = isJsonArray(values) ? values[index] : undefined;
    const owner = lookUp(value, ['owner']);
    const text = lookUp(value, ['data', 0]);
    const data = typeof text === 'string' ? decodeBase64(text) : undefined;
    if (typeof owner !== 'string' || data === undefined) return [];
    const account = { address, owner, lamports: 0n, data, executable: false };
    return [[address, { owner, decoded: decodeAccount(account, NO_PROGRAMS) }] as const];
  });
  return new Map(found);
}

type Accounts = Awaited<ReturnType<typeof readAccounts>>;

const valueOf = (decoded: Decoded, name: string) => decoded.fields.find((field) => field.name === name)?.value;

function mintsIn(mints: readonly string[], accounts: Accounts): ReadonlyMap<string, MintFacts> {
  return new Map(
    mints.flatMap((mint) => {
      const { owner = '', decoded } = accounts.get(mint) ?? {};
      const decimals = decoded?.kind === 'mint' ? valueOf(decoded, 'decimals') : undefined;
      if (decimals?.kind !== 'integer') return [];
      return [[mint, { decimals: Number(decimals.value), tokenProgram: owner }] as const];
    }),
  );
}

function tablesIn(tables: readonly string[], accounts: Accounts): ReadonlyMap<string, readonly string[]> {
  return new Map(
    tables.flatMap((table) => {
      const { decoded } = accounts.get(table) ?? {};
      const list = decoded?.kind === 'lookupTable' ? valueOf(decoded, 'addresses') : undefined;
      if (list?.kind !== 'list') return [];
      return [[table, list.items.flatMap((one) => (one.kind === 'pubkey' ? [one.address] : []))] as const];
    }),
  );
}

/** The compute unit limit from the units that the simulation used. */
async function simulatedUnits(
  { version, message, signers }: { version: 'legacy' | 0 | 1; message: Uint8Array; signers: readonly string[] },
  context: HelperContext,
): Promise<number> {
  const unsigned = writeTransaction(
    version,
    message,
    signers.map(() => new Uint8Array(SIGNATURE_BYTES)),
  );
  const config = `{"encoding":"base64","sigVerify":false,"replaceRecentBlockhash":true,"commitment":"${context.commitment()}"}`;
  const answer = await ask('simulateTransaction', `["${encodeBase64(unsigned)}",${config}]`, context);
  const value = lookUp(answer, ['result', 'value']);
  const err = lookUp(value, ['err']) ?? null;
  const units = integerOf(lookUp(value, ['unitsConsumed']));
  if (err !== null || units === undefined) throw new HelperFailed(simulationFailed(err, lookUp(value, ['logs'])));
  return unitLimitFor(units);
}

function simulationFailed(err: JsonValue, logs: JsonValue | undefined) {
  const last = isJsonArray(logs) ? logs.findLast((line) => typeof line === 'string') : undefined;
  const why = err === null ? 'it says no compute units' : printJson(err).slice(0, 200);
  const log = typeof last === 'string' ? `: ${last.slice(0, 200)}` : '';
  return invalidRequest(
    `The simulation that finds "computeUnitLimit" failed: ${why}${log}.`,
    'Correct the transaction, or write the limit as a number. Nothing was sent.',
  );
}
