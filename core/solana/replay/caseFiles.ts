// A case as the files of a folder: case.json with the transaction and what is expected, accounts/ADDRESS.json,
// programs/ADDRESS.so, and replay.jsonrpc, which is written alone. Everything that is read may come from somebody else.
import { decodeBase64, encodeBase64 } from '../encoding/base64';
import {
  integerOf,
  isJsonArray,
  isJsonObject,
  JsonSyntaxError,
  member,
  parseJson,
  printJson,
  type JsonObject,
  type JsonValue,
} from '../json/json';
import { isPublicKey } from '../chain/keys';
import { known } from '../common/known';
import { decodeTransaction } from '../wire/transaction';
import { encodeBase58 } from '../encoding/base58';
import { accountJson, integerJson, namedAccount, type ChainAccount } from '../chain/accountJson';
import { caseRequest } from './caseRequest';
import type { BalanceShift, ExpectedOutcome, ReplayCase, TokenShift } from './case';
import { listIn } from './outcome';
import { overrideJson, overridesIn } from './overrides';
import { programCodes, withProgram } from './programs';

/** Name in the folder, with `/`, and content. */
export type CaseFile = readonly [name: string, content: Uint8Array];
export const CASE_FILE = 'case.json';
export const REQUEST_FILE = 'replay.jsonrpc';
export const ACCOUNTS_FOLDER = 'accounts';
export const PROGRAMS_FOLDER = 'programs';
/** The format that is written here, and the newest that is read. */
const FORMAT = 1;

const jsonFile = (name: string, value: JsonValue): CaseFile => [
  name,
  new TextEncoder().encode(`${printJson(value, 2)}\n`),
];

export function caseFiles(replay: ReplayCase): readonly CaseFile[] {
  const codes = programCodes(replay.accounts);
  const heads = new Map(codes.map(({ account, head }) => [account, head]));
  const shortened = (address: string, account: ChainAccount): ChainAccount => {
    const head = heads.get(address);
    return head === undefined ? account : { ...account, data: account.data.subarray(0, head) };
  };
  return [
    jsonFile(CASE_FILE, caseJson(replay)),
    [REQUEST_FILE, new TextEncoder().encode(caseRequest(replay))],
    ...[...replay.accounts].map(([address, account]) =>
      jsonFile(`${ACCOUNTS_FOLDER}/${address}.json`, accountJson(address, shortened(address, account))),
    ),
    ...codes.map(({ program, elf }): CaseFile => [`${PROGRAMS_FOLDER}/${program}.so`, elf]),
  ];
}

function caseJson({
  signature,
  slot,
  blockTime,
  clock,
  wire,
  expected,
  notes,
  overrides = [],
}: ReplayCase): JsonObject {
  return {
    ...known({ replay: FORMAT, signature, slot, blockTime, clock }),
    transaction: [encodeBase64(wire), 'base64'],
    expected: expectedJson(expected),
    notes,
    ...(overrides.length > 0 && { overrides: overrides.map(overrideJson) }),
  };
}

/** An expected or an actual outcome, as JSON with all digits. */
export function expectedJson({ error, computeUnits, logs, lamports, tokens }: ExpectedOutcome): JsonObject {
  return known({
    error,
    computeUnits: computeUnits === undefined ? undefined : integerJson(computeUnits),
    logs,
    lamports: lamports?.map(({ address, change }) => ({ address, change: integerJson(change) })),
    tokens: tokens?.map(({ address, mint, change }) => ({ address, mint, change: integerJson(change) })),
  });
}

/** A fault of a file of a case. `message`: file and place, a sentence. */
export class CaseError extends Error {
  constructor(file: string, what: string) {
    super(`${file}: ${what}.`);
    this.name = 'CaseError';
  }
}

/** Throws CaseError. */
export function readCase(files: ReadonlyMap<string, Uint8Array>): ReplayCase {
  const content = files.get(CASE_FILE);
  if (content === undefined)
    throw new CaseError(CASE_FILE, 'is not there; solana-rpc replay SIGNATURE --save writes it');
  const found = headOf(caseFileJson(CASE_FILE, content));
  let accounts: ReadonlyMap<string, ChainAccount> = new Map(
    [...files].flatMap(([name, bytes]) => (name.startsWith(`${ACCOUNTS_FOLDER}/`) ? caseAccount(name, bytes) : [])),
  );
  for (const [name, elf] of files) {
    if (!name.startsWith(`${PROGRAMS_FOLDER}/`)) continue;
    const program = name.slice(PROGRAMS_FOLDER.length + 1, -'.so'.length);
    if (!isPublicKey(program)) throw new CaseError(name, 'its name must be the address of a program and .so');
    accounts = withProgram(accounts, program, programIn(name, elf));
  }
  return { ...found, accounts };
}

/** The text of a file as JSON. Throws CaseError with line and column. */
export function caseFileJson(name: string, content: Uint8Array): JsonValue {
  const text = new TextDecoder().decode(content);
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const before = text.slice(0, error.offset).split('\n');
    throw new CaseError(`${name}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`, error.message);
  }
}

/** Throws CaseError if the content is not an account. */
export function caseAccount(name: string, content: Uint8Array): readonly (readonly [string, ChainAccount])[] {
  const read = namedAccount(caseFileJson(name, content));
  if (typeof read === 'string') throw new CaseError(name, read);
  return read.account === undefined ? [] : [[read.address, read.account]];
}

const ELF = [0x7f, 0x45, 0x4c, 0x46];

/** The bytes of a program's file. Throws CaseError. */
export function programIn(name: string, elf: Uint8Array): Uint8Array {
  if (!ELF.every((byte, at) => elf[at] === byte)) throw new CaseError(name, 'it does not begin like an ELF file');
  return elf;
}

function headOf(value: JsonValue): Omit<ReplayCase, 'accounts'> {
  const fail = (what: string): never => {
    throw new CaseError(CASE_FILE, what);
  };
  const format = member(value, 'replay');
  if (typeof format !== 'number' || format < 1) return fail('"replay" must be 1, the format of the folder');
  if (format > FORMAT) return fail(`"replay" is ${format}, a format of a newer version`);
  const [text, encoding] = listIn(value, 'transaction');
  const wire = typeof text === 'string' && encoding === 'base64' ? decodeBase64(text) : undefined;
  if (wire === undefined) return fail('"transaction" must be ["…", "base64"]');
  const transaction = decodeTransaction(wire);
  if (!transaction.ok) return fail(`"transaction": ${transaction.reason}`);
  const whole = (name: string): number => {
    const number = member(value, name);
    return typeof number === 'number' && number >= 0 ? number : fail(`"${name}" must be a whole number`);
  };
  const overrides = overridesIn(member(value, 'overrides'));
  const clock = member(value, 'clock');
  return {
    signature: encodeBase58(transaction.value.signatures[0] ?? new Uint8Array()),
    wire,
    slot: whole('slot'),
    blockTime: whole('blockTime'),
    ...(typeof clock === 'string' && { clock }),
    expected: expectedOf(member(value, 'expected'), fail),
    notes: listIn(value, 'notes').filter((note) => typeof note === 'string'),
    ...(overrides.length > 0 && { overrides }),
  };
}

type Fail = (what: string) => never;

const MEMBERS: readonly string[] = ['error', 'computeUnits', 'logs', 'lamports', 'tokens'];

/** A misspelt member would check nothing. */
function expectedOf(value: JsonValue | undefined, fail: Fail): ExpectedOutcome {
  if (!isJsonObject(value)) return fail('"expected" must be an object');
  const unknown = Object.keys(value).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined)
    return fail(`"expected" has ${JSON.stringify(unknown.slice(0, 40))}; it takes ${MEMBERS.join(', ')}`);
  const [error, units, logs] = ['error', 'computeUnits', 'logs'].map((name) => member(value, name));
  const computeUnits = integerOf(units);
  if (units !== undefined && computeUnits === undefined) return fail('"expected.computeUnits" must be a whole number');
  if (logs !== undefined && (!isJsonArray(logs) || logs.some((line) => typeof line !== 'string')))
    return fail('"expected.logs" must be a list of texts');
  const [lamports, tokens] = ['lamports', 'tokens'].map((name) => shiftsIn(name, member(value, name), fail));
  return known({
    error,
    computeUnits,
    logs: isJsonArray(logs) ? logs.filter((line) => typeof line === 'string') : undefined,
    lamports: lamports?.map(withoutMint),
    tokens,
  });
}

const withoutMint = ({ address, change }: TokenShift): BalanceShift => ({ address, change });

function shiftsIn(name: string, value: JsonValue | undefined, fail: Fail): readonly TokenShift[] | undefined {
  if (value === undefined) return undefined;
  if (!isJsonArray(value)) return fail(`"expected.${name}" must be a list`);
  return value.map((row, index) => {
    const [address, change, mint = ''] = [
      member(row, 'address'),
      integerOf(member(row, 'change')),
      member(row, 'mint'),
    ];
    if (typeof address !== 'string' || change === undefined || typeof mint !== 'string')
      return fail(`"expected.${name}", row ${index + 1}: it takes "address" and "change"`);
    return { address, change, mint };
  });
}
