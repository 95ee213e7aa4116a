// The tools: each turns checked arguments into the value that it answers.
import path from 'node:path';
import { parseDocument } from '../../core/requests/document/document';
import { holdsMoreReferences } from '../../core/requests/document/variables/reference';
import { MAX_FILE_REFERENCES } from '../../core/service/fileKinds';
import { createLanguageService } from '../../core/requests/language/service';
import { STANDARD_METHODS } from '../../core/requests/methods';
import { explainedAnswer, explainedExchange, explainedText, type Explained } from '../../core/solana/explain/given';
import { simulationRequests } from '../../core/solana/explain/simulationRequests';
import { writtenLines } from '../../core/solana/explain/text';
import { checkAnswer } from '../../core/requests/tools/check';
import { boundedTexts, decodedData, decodedResponse, decodedWire } from '../../core/requests/tools/decode';
import { wireTransaction, type WireTransaction } from '../../core/solana/wire/transactionText';
import type { DecodedAnswer } from '../../core/requests/tools/decode';
import { explainAnswer } from '../../core/requests/tools/explain';
import { holdsKey, KEY_REFUSAL } from '../../core/requests/tools/keys';
import { explainMethod, methodsLike } from '../../core/requests/tools/methods';
import { requestBlock, streamBlock, wantedRequest, type WantedRequest } from '../../core/requests/tools/request';
import { argumentFault } from '../../core/requests/tools/schema';
import { terminalInput, toolNamed, type ToolName } from '../../core/requests/tools/table';
import { isWalletKey } from '../../core/requests/tools/wallet';
import { MAX_ANSWER } from '../../core/requests/tools/limits';
import { encodeBase64 } from '../../core/solana/encoding/base64';
import { isJsonArray, member, parseJson, type JsonValue } from '../../core/solana/json/json';
import { isPublicKey, isSignature } from '../../core/solana/chain/keys';
import { filesPort } from '../check';
import { createFilePort, loadFiles, type Loaded } from '../session/files';
import type { GivenFile } from '../session/given';
import { loadIdls } from '../session/idls';
import { loadMethods } from '../session/schemas';
import { plainJson, Room, rowAnswer, ToolError } from './answer';
import type { RequestReport } from '../../core/requests/run/model';
import type { Selection } from '../../core/requests/run/plan';
import type { RunOutcome } from '../../runner/run';
import type { ToolHost } from './host';

type Args = Readonly<Record<string, unknown>>;

interface Call {
  readonly host: ToolHost;
  readonly args: Args;
  readonly signal: AbortSignal;
}

/** The name shown for text that has no file. */
const TEXT_NAME = 'text.jsonrpc';
const ALL: Selection = { kind: 'all' };
/** Arguments that hold data or whole files, in which looks decide nothing. */
const FREE: readonly string[] = ['text', 'file', 'transaction', 'data'];

/** Runs a tool. Throws ToolError, or UsageError where a file or a configuration cannot be understood. */
export async function callTool(name: string, call: Call): Promise<object> {
  const tool = toolNamed(name);
  if (tool === undefined) throw new ToolError('There is no tool of that name.');
  refuseKeys(call);
  const fault = argumentFault(terminalInput(tool), call.args);
  if (fault !== undefined) throw new ToolError(fault);
  return HANDLERS[tool.name](call);
}

/** A key in any argument, by its value or its looks, refuses the call and is not repeated. */
function refuseKeys({ host, args }: Call): void {
  const text = JSON.stringify(args);
  if (host.redact(text) !== text) throw new ToolError(KEY_REFUSAL);
  for (const [name, value] of Object.entries(args))
    if (FREE.includes(name) ? isWalletKey(value) : holdsKey({ [name]: value }, isWalletKey))
      throw new ToolError(KEY_REFUSAL);
}

const HANDLERS: Readonly<Record<ToolName, (call: Call) => Promise<object> | object>> = {
  async list_methods({ host, args }) {
    const { methods: known = STANDARD_METHODS } = await loadMethods(host.folder);
    const all = methodsLike(known, textOf(args, 'query'));
    const room = new Room();
    const methods = all.filter((one) => room.takes(JSON.stringify(one).length));
    return { methods, more: all.length - methods.length };
  },

  async explain_method({ host, args }) {
    const { methods = STANDARD_METHODS } = await loadMethods(host.folder);
    return explainMethod(methods, textOf(args, 'method') ?? '');
  },

  list_endpoints: ({ host }) => ({ endpoints: host.endpoints() }),

  check: checkTool,

  async run(call) {
    const [row] = await ran(requestBlock(wanted(call.args)), call);
    return row === undefined ? notSent() : rowAnswer(row, new Room());
  },

  run_file: runFile,

  async decode_transaction(call) {
    const { transaction, signature } = transactionOrSignature(call.args);
    if (transaction !== undefined) return decodedWire(readTransaction(transaction), await loadIdls(call.host.folder));
    const options = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
    return lookedUp({ method: 'getTransaction', params: [signature, options] }, call);
  },

  async explain_transaction(call) {
    const { transaction, signature } = transactionOrSignature(call.args);
    const known = await loadIdls(call.host.folder);
    if (transaction !== undefined) {
      readTransaction(transaction);
      return explanationAnswer(explainedText(transaction, known));
    }
    const options = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
    const [row] = await ran(requestBlock({ method: 'getTransaction', params: [signature, options] }), call);
    if (row?.large !== undefined) throw new ToolError('The response is too large to explain here.');
    const result = answered(row);
    if (result === null || result === undefined) throw new ToolError('It was not found.');
    return explanationAnswer(explainedAnswer(result, known));
  },

  async decode_account(call) {
    const { address, data, owner } = texts(call.args, ['address', 'data', 'owner']);
    if (address !== undefined && !isPublicKey(address)) throw new ToolError('"address" is not an address.');
    if (data !== undefined) {
      if (owner === undefined || !isPublicKey(owner))
        throw new ToolError('With "data", "owner" must be the program\'s address.');
      return decodedData({ owner, data, address }, await loadIdls(call.host.folder));
    }
    if (address === undefined) throw new ToolError('Give "address", or "data" with "owner".');
    const options = { encoding: 'base64', commitment: 'confirmed' };
    return lookedUp({ method: 'getAccountInfo', params: [address, options] }, call);
  },

  simulate: simulateTool,

  async read_stream(call) {
    const { args } = call;
    const bounds = { updates: numberOf(args, 'updates', 10), seconds: numberOf(args, 'seconds', 10) };
    const [row] = await ran(streamBlock(wanted(args), bounds), call);
    return row === undefined ? notSent() : rowAnswer(row, new Room());
  },
};

async function checkTool({ host, args }: Call): Promise<object> {
  const { name, text } = await givenText({ host, args });
  const methods = await loadMethods(host.folder);
  const loaded = await loadFiles([{ name, text }], host.folder);
  const service = createLanguageService({
    surroundings: () => ({
      imports: loaded.imports,
      ...(host.environment !== undefined && { environment: host.environment }),
      ...methods,
    }),
    files: filesPort(host.folder),
    log: (message) => void process.stderr.write(`${message}\n`),
  });
  const document = loaded.files[0] ?? parseDocument(name, 1, text);
  const { ok, findings, more } = checkAnswer(service, document);
  const room = new Room();
  const shown = findings.filter((finding) => room.takes(JSON.stringify(finding).length));
  return { ok, findings: shown, more: more + findings.length - shown.length };
}

async function runFile({ host, args, signal }: Call): Promise<object> {
  const given = await givenText({ host, args });
  const name = textOf(args, 'name');
  const selection: Selection = name === undefined ? ALL : { kind: 'named', names: [name], tags: [] };
  const loaded = await loadFiles([given], host.folder);
  const outcome = await host.run({ loaded, selection, endpoint: textOf(args, 'endpoint'), signal });
  if (outcome.kind === 'unknownNames') throw new ToolError('No request has that name.');
  if (outcome.kind === 'unsent') throw new ToolError('Nothing was sent.');
  const room = new Room();
  const requests = outcome.report.requests.map((row) => rowAnswer(row, room));
  return { ok: outcome.report.ok, requests, problems: problemsOf(outcome) };
}

const problemsOf = (outcome: RunOutcome): readonly string[] =>
  outcome.kind === 'invalid' ? outcome.problems.slice(0, 100).map(({ code, message }) => `${code}: ${message}`) : [];

async function simulateTool(call: Call): Promise<object> {
  const transaction = readTransaction(textOf(call.args, 'transaction') ?? '');
  const known = await loadIdls(call.host.folder);
  const given = explainedText(encodeBase64(transaction.bytes), known);
  if (typeof given === 'string') throw new ToolError(given);
  const { before, simulation } = simulationRequests(encodeBase64(transaction.bytes), given.accounts);
  const rows = await ran(requestBlock(before) + requestBlock(simulation), call);
  if (rows.some(({ large }) => large !== undefined)) throw new ToolError('The accounts are too large to read here.');
  const [held, run] = rows;
  answered(held);
  const value = member(answered(run), 'value');
  const err = member(value, 'err') ?? null;
  const logs = member(value, 'logs');
  const units = member(value, 'unitsConsumed');
  const all = isJsonArray(logs) ? logs.filter((log) => typeof log === 'string') : [];
  const { lines, moreLines } = boundedTexts(all, MAX_ANSWER / 4);
  const decoded = decodedWire(transaction, known);
  const response = { result: { value: value ?? null } };
  const explained = explainedExchange({ ...simulation }, response, known, held?.response);
  const { written = [], notes = [] } = typeof explained === 'object' ? explained : {};
  const after = boundedTexts(written.flatMap(writtenLines), MAX_ANSWER / 4);
  return {
    ok: err === null,
    err: plainJson(err),
    logs: lines,
    ...(moreLines !== undefined && { moreLogs: moreLines }),
    ...(typeof units === 'number' && { unitsConsumed: units }),
    lines: decoded.lines,
    ...(decoded.moreLines !== undefined && { moreLines: decoded.moreLines }),
    accountsAfter: after.lines,
    ...(after.moreLines !== undefined && { moreAccountsAfter: after.moreLines }),
    notes: boundedTexts(notes, MAX_ANSWER / 16).lines,
  };
}

/** Runs a text that is made here; the rows of its requests. */
async function ran(text: string, { host, args, signal }: Call): Promise<readonly RequestReport[]> {
  const loaded: Loaded = await loadFiles([{ name: TEXT_NAME, text }], host.folder);
  const outcome = await host.run({ loaded, selection: ALL, endpoint: textOf(args, 'endpoint'), signal });
  if (outcome.kind === 'invalid') throw new ToolError(problemsOf(outcome).join('\n'));
  return outcome.kind === 'done' ? outcome.report.requests : [];
}

/** The result of a response; throws what stopped it. */
function answered(row: RequestReport | undefined): JsonValue | undefined {
  if (row?.error !== undefined) throw new ToolError([row.error.message, row.error.hint ?? ''].join(' ').trim());
  const result = member(row?.response, 'result');
  return result === undefined ? notSent() : result;
}

function notSent(): never {
  throw new ToolError('There was no answer.');
}

async function lookedUp(request: WantedRequest, call: Call): Promise<DecodedAnswer> {
  const [row] = await ran(requestBlock(request), call);
  if (row?.large !== undefined) throw new ToolError('The response is too large to decode here.');
  const response = row?.response;
  if (answered(row) === null || member(answered(row), 'value') === null) throw new ToolError('It was not found.');
  const known = await loadIdls(call.host.folder);
  const decoded =
    response === undefined ? undefined : decodedResponse(response, parseJson(JSON.stringify(request)), known);
  if (decoded === undefined) throw new ToolError('The response holds nothing that can be decoded.');
  return decoded;
}

function wanted(args: Args): WantedRequest {
  try {
    return wantedRequest(args);
  } catch (error) {
    throw new ToolError(error instanceof Error ? error.message : '"method" is the name of a method.');
  }
}

function explanationAnswer(explanation: Explained): object {
  if (typeof explanation === 'string') throw new ToolError(explanation);
  return plainJson(explainAnswer(explanation)) as object;
}

/** One of the two. */
function transactionOrSignature(
  args: Args,
):
  | { readonly transaction: string; readonly signature?: never }
  | { readonly transaction?: never; readonly signature: string } {
  const { transaction, signature } = texts(args, ['transaction', 'signature']);
  if ((transaction === undefined) === (signature === undefined))
    throw new ToolError('Give either "transaction" or "signature".');
  if (transaction !== undefined) return { transaction };
  if (signature === undefined || !isSignature(signature)) throw new ToolError('"signature" is not a signature.');
  return { signature };
}

function readTransaction(text: string): WireTransaction {
  const transaction = wireTransaction(text);
  if (typeof transaction === 'string') throw new ToolError(`"transaction" is not a transaction. ${transaction}`);
  return transaction;
}

/** The text itself, or that of a file inside the folder; a link that leads out of it is refused. */
async function givenText({ host, args }: Pick<Call, 'host' | 'args'>): Promise<Required<GivenFile>> {
  const { text, file } = texts(args, ['text', 'file']);
  if ((text === undefined) === (file === undefined)) throw new ToolError('Give either "text" or "file".');
  if (text !== undefined && holdsMoreReferences(text, MAX_FILE_REFERENCES))
    throw new ToolError('The text has too many references.');
  if (file === undefined) return { name: TEXT_NAME, text: text ?? '' };
  if (!file.endsWith('.jsonrpc')) throw new ToolError('"file" is a .jsonrpc file.');
  const read = await createFilePort(host.folder).read(file, path.join(host.folder, TEXT_NAME), 'request');
  if (!read.ok) throw new ToolError(read.error.message);
  return { name: file, text: read.value };
}

function textOf(args: Args, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
}

const texts = <Name extends string>(args: Args, names: readonly Name[]): Readonly<Record<Name, string | undefined>> =>
  Object.fromEntries(names.map((name) => [name, textOf(args, name)])) as Record<Name, string | undefined>;

const numberOf = (args: Args, name: string, fallback: number): number => {
  const value = args[name];
  return typeof value === 'number' ? value : fallback;
};
