// Turns an exchange into a row of the report: the decisive error, the assertions, the response with exact digits.
import {
  answerOf,
  bodyPath,
  errorOfAnswer,
  lookUpAnswer,
  type RequestAnswer,
  type ExpectedValue,
} from '../core/requests/document/variables/answer';
import { checkAssertion } from '../core/requests/run/assertions/assertions';
import { differences, without } from '../core/requests/run/assertions/difference';
import { LargeAnswer } from '../core/requests/run/largeAnswer';
import { StoredResponse } from '../core/service/response/stored';
import { expectedOf, NoValue } from '../core/requests/run/evaluate';
import { expectsError, reportedError, rowTransport, writtenMethod } from '../core/requests/run/report';
import { schemaFaults } from '../core/requests/run/assertions/schema';
import { settingsOf } from '../core/requests/run/source';
import { harmless } from '../core/service/redaction/redact';
import { nextStep } from '../core/service/rpcErrors';
import { isJsonArray, member, parseJson, printJson } from '../core/solana/json/json';
import { known } from '../core/solana/common/known';
import type { ExpectedFiles } from './expected';
import type {
  AssertionResult,
  Exchange,
  Landing,
  LargeBody,
  PreparedRequest,
  RequestReport,
} from '../core/requests/run/model';
import type { Located } from '../core/requests/run/source';
import type { ResolveReference } from '../core/requests/document/splice';
import type { Assertion } from '../core/requests/document/model';
import { tooDeep, type ServiceError } from '../core/service/errors';
import type { JsonValue } from '../core/solana/json/json';

/** The raw outcome of one request, before it is judged. */
export interface SendOutcome {
  readonly request?: PreparedRequest;
  readonly answer?: RequestAnswer;
  /** The body, if it is in a file. */
  readonly large?: LargeBody;
  readonly error?: ServiceError;
  readonly durationMs: number;
  readonly dropped?: number;
  readonly landing?: Landing;
  readonly notes?: readonly string[];
}

/** Converts a response into an answer; a unary gRPC message becomes its `result`. */
export function answerTo(request: PreparedRequest, exchange: Exchange): RequestAnswer {
  const { httpStatus, durationMs, headers } = exchange;
  const body = exchange.body.kind === 'text' ? exchange.body.value : undefined;
  const large = exchange.body.kind === 'file' ? exchange.body : undefined;
  return answerOf({
    httpStatus,
    durationMs,
    headers,
    isBatch: request.isBatch,
    ...(large && { large: new LargeAnswer(new StoredResponse(large.file, () => large.outline), request.isBatch) }),
    ...(body !== undefined && { body: request.transport === 'GRPC' ? { result: body } : body }),
  });
}

/** The error of an exchange: the transport's, else the body's, else that of an incomplete body. */
export function errorOf(request: PreparedRequest, exchange: Exchange, answer: RequestAnswer): ServiceError | undefined {
  if (exchange.error !== undefined) return exchange.error;
  if (request.transport === 'GRPC' || exchange.body.kind === 'file') return undefined;
  if (answer.body === undefined) {
    if (exchange.body.isTooDeep) return tooDeep('The answer');
    return protocol('The answer is not JSON.', 'Look at the URL: is a JSON-RPC service behind it?');
  }
  const error = errorOfAnswer(answer);
  if (error !== undefined) return rpcError(error);
  if (!request.isBatch) return undefined;
  if (!isJsonArray(answer.body)) return protocol('A batch was sent, but the answer is not an array.');
  const missing = request.ids.find((id) => !answer.byId().has(id));
  return missing === undefined ? undefined : protocol(`The answer to the batch has nothing for id ${missing}.`);
}

const protocol = (message: string, hint?: string): ServiceError => known({ kind: 'protocol', message, hint });

/** Shown of a message from outside, in UTF-16 units. */
const MAX_MESSAGE = 500;

function rpcError(error: JsonValue): ServiceError {
  const code = member(error, 'code');
  const message = member(error, 'message');
  const data = member(error, 'data');
  const number = typeof code === 'number' ? code : 0;
  const text = typeof message === 'string' ? harmless(message.slice(0, MAX_MESSAGE)) : '';
  const shown = text === '' ? 'The service answered with an error.' : text;
  return known({ kind: 'rpc', code: number, message: shown, hint: nextStep(number, data), data });
}

/** Expected values of assertions: `resolve` fills in variables, `files` has schemas and snapshots. */
export interface Compared {
  readonly resolve: ResolveReference;
  readonly files: ExpectedFiles;
}

/** The row of a request that was tried. */
export async function judgeOutcome(
  at: Located,
  activeEndpoint: string,
  outcome: SendOutcome,
  compared: Compared,
): Promise<RequestReport> {
  const { block } = at;
  const { answer, error, request, large, dropped, landing, notes } = outcome;
  const assertions: AssertionResult[] = [];
  if (answer !== undefined)
    for (const assertion of block.assertions) assertions.push(await check(at, assertion, answer, compared));
  const excused = error !== undefined && answer !== undefined && expectsError(block.assertions, error);
  const passed = (error === undefined || excused) && assertions.every((assertion) => assertion.passed);
  return known({
    ...rowHead(at, activeEndpoint),
    ...(request && { method: request.method, transport: request.transport }),
    status: passed ? 'passed' : 'failed',
    httpStatus: answer?.httpStatus,
    durationMs: Math.round(outcome.durationMs * 100) / 100,
    request: request === undefined ? null : parseJson(request.body),
    response: request?.transport === 'GRPC' ? member(answer?.body, 'result') : answer?.body,
    large,
    messages: answer?.messages,
    dropped,
    landing,
    notes,
    error: error === undefined || excused ? undefined : reportedError(error),
    assertions,
  });
}

async function check(
  at: Located,
  assertion: Assertion,
  answer: RequestAnswer,
  { resolve, files }: Compared,
): Promise<AssertionResult> {
  const { block, placed } = at;
  const place = {
    text: assertion.text,
    line: placed.line + lineAt(block.lineStarts, assertion.span.start),
    ...(assertion.operator === 'matchesSnapshot' && { isSnapshot: true as const }),
  };
  try {
    const written = expectedOf(assertion, at, resolve);
    const value = (await fromFile(at, assertion, answer, files)) ?? written.value;
    const expected = { ...written, value };
    const checked = await checkAssertion(assertion, expected, answer);
    const shown = assertion.operator === '==' && value !== undefined ? { expected: value } : {};
    return { ...place, ...checked, ...shown, ...differencesOf(assertion, checked, expected) };
  } catch (error) {
    if (error instanceof NoValue) {
      const isFiled = assertion.value?.kind === 'file' || assertion.operator === 'matchesSnapshot';
      if (!isFiled) return { ...place, passed: false };
      const actual = lookUpAnswer(answer, assertion.path.steps);
      return { ...place, passed: false, ...(actual !== undefined && { actual }), differences: [error.message] };
    }
    throw error;
  }
}

/** A schema or a snapshot. Throws NoValue. */
async function fromFile(
  at: Located,
  assertion: Assertion,
  answer: RequestAnswer,
  files: ExpectedFiles,
): Promise<JsonValue | undefined> {
  if (assertion.value?.kind === 'file') return files.schema(assertion.value.path, at.scope.document.uri);
  if (assertion.operator !== 'matchesSnapshot') return undefined;
  const { steps } = assertion.path;
  const large = answer.large === undefined ? undefined : bodyPath(steps);
  const found = large === undefined ? undefined : await answer.large?.fetch(large);
  if (found?.kind === 'large') throw new NoValue('The value is too large for a snapshot.');
  return files.snapshot(at, assertion, lookUpAnswer(answer, steps));
}

/** Of a list or an object that is not the expected one. */
function differencesOf(
  { operator, isNegated, ignoring = [], quantifier }: Assertion,
  { passed, actual }: Pick<AssertionResult, 'passed' | 'actual'>,
  { value: expected, text }: ExpectedValue,
): Pick<AssertionResult, 'differences'> {
  if (passed || isNegated === true || quantifier !== undefined) return {};
  if (operator === 'matchesSchema' && actual !== undefined && expected !== undefined)
    return { differences: [...schemaFaults(actual, expected)] };
  if (operator !== '==' && operator !== 'matchesSnapshot') return {};
  if (actual === undefined || expected === undefined) return {};
  // The value that `==` expects is in its text.
  if (operator === '==' && (typeof actual !== 'object' || actual === null)) return {};
  return { differences: differences(without(actual, ignoring), without(expected, ignoring), text) };
}

/** Index of the line that contains an offset. */
function lineAt(lineStarts: readonly number[], offset: number): number {
  const next = lineStarts.findIndex((start) => start > offset);
  return next < 0 ? lineStarts.length - 1 : next - 1;
}

/** The fields that every row has about its block, executed or not. */
export function rowHead(
  at: Located,
  activeEndpoint: string,
): Pick<RequestReport, 'file' | 'line' | 'name' | 'title' | 'method' | 'transport' | 'endpoint' | 'row'> {
  const { block, placed } = at;
  const method = writtenMethod(block);
  return {
    file: at.scope.document.uri,
    line: placed.line + 1,
    name: block.settings.name?.text ?? null,
    title: block.title.text,
    ...(at.row !== undefined && { row: at.row.index }),
    method,
    transport: rowTransport(block, method),
    endpoint: settingsOf(at).endpoint ?? activeEndpoint,
  };
}

/** The row of a block that was not tried. */
export function untried(
  at: Located,
  activeEndpoint: string,
  status: 'skipped' | 'failed',
  error?: ServiceError,
): RequestReport {
  return {
    ...rowHead(at, activeEndpoint),
    status,
    durationMs: 0,
    request: null,
    ...(error === undefined ? {} : { error: reportedError(error) }),
    assertions: [],
  };
}

/** The text that `>>` saves: the raw response; for a stream, one message per line. */
export function savedText(outcome: SendOutcome, raw: string | undefined): string | undefined {
  if (outcome.answer?.messages !== undefined) return outcome.answer.messages.map((m) => `${printJson(m)}\n`).join('');
  return raw;
}
