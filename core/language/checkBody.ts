// Checks a body: the envelope of each call here, its method and params in core/methods. Values first; a place in the
// text is looked up only for what is wrong.
import type { Block, Body, Problem, Span } from '../document/model';
import { integerOf, isJsonArray, isJsonObject, member, type JsonValue } from '../values/json';
import { checkCall, checkMethod, type Problem as CallProblem } from '../methods/check';
import { nearestNames } from '../methods/describe';
import { methodNamed } from '../methods';
import type { Lane } from '../methods/types';
import { requestOf, type MessageDescription } from '../../proto/requests';
import { GEYSER_SERVICE, callsIn, keySpan, laneOf, methodOf, placeOf, spanOf, transportOf, type Call } from './call';
import type { FilledBody } from './fill';
import { checkMessage } from './message';
import { problem, type CallPath, type FixData } from './problem';

const MEMBERS = ['jsonrpc', 'id', 'method', 'params'];
const MAX_ID = 2n ** 64n - 1n;

/** The problems of a valid body whose variables are filled in as far as they are known. */
export function checkBody(block: Block, body: Body, filled: FilledBody): Problem[] {
  const lane = laneOf(transportOf(block, filled.value));
  const checker = new BodyChecker(body, filled, lane);
  if (lane === 'grpc') checker.grpc(block.requestLine);
  else checker.calls();
  return checker.problems;
}

class BodyChecker {
  readonly problems: Problem[] = [];

  constructor(
    private readonly body: Body,
    private readonly filled: FilledBody,
    private readonly lane: Lane,
  ) {}

  /** A message of a gRPC service: no batch, no JSON-RPC envelope. */
  grpc(line: Block['requestLine']): void {
    if (this.body.isBatch) this.batchRefused('A gRPC request has one message: write an object.');
    else if (methodOf(this.filled.value) !== undefined)
      this.atKey(
        'wrong-transport',
        'This is a JSON-RPC body: write POST or WS in place of GRPC.',
        { index: undefined },
        ['method'],
      );
    else if (line?.service?.text === GEYSER_SERVICE) this.message(requestOf(line.method?.text ?? ''));
  }

  private message(description: MessageDescription | undefined): void {
    if (description === undefined) return;
    const { value, isUnknown } = this.filled;
    const call = { index: undefined };
    for (const { code, message, path, target, severity, names } of checkMessage(description, value, isUnknown)) {
      const place = placeOf(this.body, call, path);
      const atKey = target === 'key' && place?.isWhole === true ? keySpan(this.body, call, path) : undefined;
      const span = atKey ?? (place === undefined ? undefined : spanOf(place.node));
      if (span === undefined) continue;
      const fixes = (names ?? []).map((name) =>
        target === 'key' ? { kind: 'rename' as const, name } : { kind: 'replace' as const, value: name },
      );
      const usable = this.filled.referenceIn(span) === undefined ? fixes : [];
      const found = problem(code, message, span, { kind: 'call', index: undefined, path, fixes: usable });
      this.problems.push(severity === undefined ? found : { ...found, severity });
    }
  }

  calls(): void {
    if (this.body.isBatch && this.lane !== 'http') {
      this.batchRefused('A batch goes over HTTPS: write POST above it.');
    }
    const calls = callsIn(this.filled.value);
    if (calls.length === 0) {
      const { start } = this.body.span;
      this.problems.push(problem('missing-field', 'A batch holds at least one request.', { start, end: start + 1 }));
    }
    for (const call of calls) this.call(call);
    if (this.body.isBatch) this.ids(calls);
  }

  private batchRefused(message: string): void {
    const { start } = this.body.span;
    this.problems.push(problem('wrong-transport', message, { start, end: start + 1 }));
  }

  private call(call: Call): void {
    const { request } = call;
    if (!isJsonObject(request)) {
      if (!this.filled.isUnknown(request)) this.at('wrong-type', 'A request is an object with a method.', call, []);
      return;
    }
    this.envelope(call);
    const method = member(request, 'method');
    if (method === undefined) {
      this.at('missing-field', 'A request needs "method".', call, []);
      return;
    }
    if (typeof method !== 'string') {
      this.at('wrong-type', 'The name of a method is a string.', call, ['method']);
      return;
    }
    if (this.filled.isUnknown(method)) return;
    // A batch where none can go has said so already, once.
    if (!this.body.isBatch || this.lane === 'http') this.report(call, checkMethod(method, this.lane));
    else
      this.report(
        call,
        checkMethod(method, this.lane).filter((found) => found.code !== 'wrong-transport'),
      );
    const record = methodNamed(method);
    if (record === undefined) return;
    const { isUnknown, isWalletTransaction } = this.filled;
    this.report(
      call,
      checkCall(record, member(request, 'params'), { lane: this.lane, isUnknown, isWalletTransaction }),
    );
  }

  private envelope(call: Call): void {
    const { request } = call;
    const version = member(request, 'jsonrpc');
    if (version !== undefined && version !== '2.0' && !this.filled.isUnknown(version))
      this.at('enum-value', 'The only version is "2.0".', call, ['jsonrpc']);
    const id = member(request, 'id');
    if (id !== undefined && !this.filled.isUnknown(id) && !isId(id))
      this.at('wrong-type', 'An id is a string, or an integer from 0 to 18446744073709551615.', call, ['id']);
    if (!isJsonObject(request)) return;
    for (const key of Object.keys(request)) {
      if (MEMBERS.includes(key)) continue;
      // A key with its value is said to be a secret; that says more.
      if (key === 'api_key') continue;
      const names = nearestNames(key, MEMBERS, 1);
      const span = keySpan(this.body, call, [key]);
      const message = `A request has no member ${JSON.stringify(key)}: only jsonrpc, id, method and params.`;
      if (span === undefined) continue;
      const fixes = names.map((name) => ({ kind: 'rename' as const, name }));
      this.problems.push(
        problem('unknown-field', message, span, { kind: 'call', index: call.index, path: [key], fixes }),
      );
    }
  }

  private ids(calls: readonly Call[]): void {
    const seen = new Set<string>();
    for (const call of calls) {
      const id = member(call.request, 'id');
      if (id === undefined || this.filled.isUnknown(id) || !isId(id)) continue;
      const key = typeof id === 'string' ? `"${id}` : String(integerOf(id));
      if (seen.has(key)) this.at('duplicate-id', 'Another request of this batch has the same id.', call, ['id']);
      seen.add(key);
    }
  }

  private at(
    code: 'missing-field' | 'wrong-type' | 'enum-value' | 'duplicate-id',
    message: string,
    call: Call,
    path: CallPath,
  ): void {
    const place = placeOf(this.body, call, path);
    if (place !== undefined) this.problems.push(problem(code, message, spanOf(place.node)));
  }

  private atKey(code: 'wrong-transport', message: string, call: Pick<Call, 'index'>, path: CallPath): void {
    const span = keySpan(this.body, call, path);
    if (span !== undefined) this.problems.push(problem(code, message, span));
  }

  private report(call: Call, found: readonly CallProblem[]): void {
    for (const { code, severity, message, target, path, fixes } of found) {
      const steps: CallPath = target === 'method' ? ['method'] : ['params', ...path];
      const place = placeOf(this.body, call, steps);
      if (place === undefined) continue;
      const whole = target === 'key' && place.isWhole ? keySpan(this.body, call, steps) : spanOf(place.node);
      const span = whole ?? spanOf(place.node);
      const reference = this.filled.referenceIn(span);
      // What stands in a variable cannot be mended at the place that uses it; a sibling can.
      const usable = reference === undefined ? fixes : fixes.filter((fix) => fix.kind === 'set');
      const data: FixData =
        code === 'missing-param'
          ? { kind: 'missing', index: call.index, method: methodOf(call.request) ?? '' }
          : { kind: 'call', index: call.index, path: steps, fixes: usable };
      this.problems.push({ code, severity, message, span: this.narrowed(code, span, reference), data });
    }
  }

  /** A wallet transaction in the wrong encoding is the reference's fault, not the string's. */
  private narrowed(code: string, span: Span, reference: Span | undefined): Span {
    return code === 'transaction-encoding' && reference !== undefined && this.filled.isWalletReference(reference)
      ? reference
      : span;
  }
}

function isId(id: JsonValue): boolean {
  if (typeof id === 'string') return true;
  if (isJsonArray(id) || isJsonObject(id)) return false;
  const integer = integerOf(id);
  return integer !== undefined && integer >= 0n && integer <= MAX_ID;
}
