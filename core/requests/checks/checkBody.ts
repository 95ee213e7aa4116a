// Checks a body and finds the places of its problems: its requests as values in checkRequest, a gRPC message by its
// descriptor. A place in the text is looked up only for what is wrong.
import type { Block, Body, Problem, Span } from '../document/model';
import { integerOf, member, type JsonValue } from '../../solana/json/json';
import type { MethodTable } from '../methods';
import type { Fix, RequestProblem } from '../methods/problems';
import type { Lane } from '../methods/types';
import { requestOf } from '../../../proto/requests';
import { GEYSER_SERVICE, keySpan, laneOf, partPlace, nodeSpan, transportOf, type CallPath } from '../document/call';
import { callsIn, methodOf, type Call } from '../../solana/json/calls';
import { checkRequest, isId } from './checkRequest';
import type { FilledBody } from '../document/variables/fill';
import { checkGrpcMessage } from '../grpc/message';
import { problem, type FixData } from './problem';

/** The problems of a valid body whose variables are filled in as far as they are known. */
export function checkBody(block: Block, body: Body, filled: FilledBody, methods: MethodTable): Problem[] {
  const lane = laneOf(transportOf(block, methods, filled.value));
  const checker = new BodyChecker({ body, filled, lane, methods, line: block.requestLine });
  if (lane === 'grpc') checker.grpc(block.requestLine);
  else checker.calls();
  return checker.problems;
}

/** A body and what it is read against. */
interface Checked {
  readonly body: Body;
  readonly filled: FilledBody;
  readonly lane: Lane;
  readonly methods: MethodTable;
  readonly line: Block['requestLine'];
}

class BodyChecker {
  readonly problems: Problem[] = [];

  constructor(private readonly checked: Checked) {}

  /** A message of a gRPC service: no batch, no JSON-RPC envelope. */
  grpc(line: Block['requestLine']): void {
    if (this.checked.body.isBatch) this.#batchRefused('A gRPC request has one message: write an object.');
    else if (methodOf(this.checked.filled.value) !== undefined)
      this.#atKey(
        'wrong-transport',
        'This is a JSON-RPC body: write POST or WS in place of GRPC.',
        { index: undefined },
        ['method'],
      );
    else if (line?.service?.text === GEYSER_SERVICE) {
      const { value, isUnknown } = this.checked.filled;
      const description = requestOf(line.method?.text ?? '');
      const found = description === undefined ? [] : checkGrpcMessage(description, value, isUnknown);
      this.#report({ index: undefined, request: value }, found);
    }
  }

  calls(): void {
    if (this.checked.body.isBatch && this.checked.lane !== 'http') {
      this.#batchRefused('A batch goes over HTTPS: write POST above it.');
    }
    const calls = callsIn(this.checked.filled.value);
    if (calls.length === 0) {
      const { start } = this.checked.body.span;
      this.problems.push(problem('missing-field', 'A batch holds at least one request.', { start, end: start + 1 }));
    }
    const { isUnknown, isWalletTransaction } = this.checked.filled;
    const isMisplaced = this.checked.body.isBatch && this.checked.lane !== 'http';
    const { lane, methods } = this.checked;
    const { programs } = methods;
    const options = {
      lane,
      methods,
      programs,
      isMisplaced,
      isUnknown,
      isWalletTransaction,
      conditional: true,
    } as const;
    for (const call of calls) this.#report(call, checkRequest(call.request, options));
    if (this.checked.body.isBatch) this.#ids(calls);
  }

  #batchRefused(message: string): void {
    const { start } = this.checked.body.span;
    const isServed = callsIn(this.checked.filled.value).every(
      ({ request }) => this.#keywordOf(methodOf(request) ?? '') === 'POST',
    );
    const data = isServed ? this.#otherLine('POST') : undefined;
    this.problems.push(problem('wrong-transport', message, { start, end: start + 1 }, data));
  }

  #ids(calls: readonly Call[]): void {
    const seen = new Set<string>();
    for (const call of calls) {
      const id = member(call.request, 'id');
      if (id === undefined || id === null || this.checked.filled.isUnknown(id) || !isId(id)) continue;
      const key = typeof id === 'string' ? `"${id}` : String(integerOf(id));
      if (seen.has(key)) this.#duplicate(call, freeId(id, calls));
      seen.add(key);
    }
  }

  #duplicate(call: Call, free: JsonValue): void {
    const place = partPlace(this.checked.body, call, ['id']);
    if (place === undefined) return;
    const message = 'Another request of this batch has the same id.';
    const data: FixData = { kind: 'call', index: call.index, path: ['id'], fixes: [{ kind: 'replace', value: free }] };
    this.problems.push(problem('duplicate-id', message, nodeSpan(place.node), data));
  }

  #atKey(code: 'wrong-transport', message: string, call: Pick<Call, 'index'>, path: CallPath): void {
    const span = keySpan(this.checked.body, call, path);
    const method = methodOf(this.checked.filled.value) ?? '';
    if (span !== undefined) this.problems.push(problem(code, message, span, this.#otherLine(this.#keywordOf(method))));
  }

  /** The keyword that serves the request, in place of the line's own; a gRPC path goes with its keyword. */
  #otherLine(keyword: string): FixData | undefined {
    const { line } = this.checked;
    if (line === undefined) return undefined;
    return { kind: 'rename', span: line.transport === 'GRPC' ? line.span : line.keyword.span, names: [keyword] };
  }

  #report(call: Call, found: readonly RequestProblem[]): void {
    for (const one of found) {
      const { code, severity, message, target, path, fixes, only } = one;
      const place = partPlace(this.checked.body, call, path);
      if (place === undefined) continue;
      const key = target === 'key' && place.isWhole ? keySpan(this.checked.body, call, path) : undefined;
      const span = key ?? nodeSpan(place.node);
      const reference = this.checked.filled.referenceIn(span);
      const condition = only === undefined ? {} : { only };
      const fault = { code, severity, message, span: this.#narrowed(code, span, reference), ...condition };
      this.problems.push(fixes === undefined ? fault : { ...fault, data: this.#mends(call, one, fixes, reference) });
    }
  }

  #mends(call: Call, { code, path }: RequestProblem, fixes: readonly Fix[], reference: Span | undefined): FixData {
    const { index } = call;
    if (code === 'wrong-transport' && !this.checked.body.isBatch) {
      const line = this.#otherLine(this.#keywordOf(methodOf(call.request) ?? ''));
      if (line !== undefined) return line;
    }
    if (code === 'missing-param') {
      const params = this.checked.methods.named(methodOf(call.request) ?? '')?.params ?? [];
      return { kind: 'missing', index, params };
    }
    // The value of a variable cannot be fixed where it is used; a sibling can.
    const usable = reference === undefined ? fixes : fixes.filter((fix) => fix.kind === 'set');
    return { kind: 'call', index, path, fixes: usable };
  }

  #keywordOf(method: string): string {
    return this.checked.methods.named(method)?.transport === 'ws' ? 'WS' : 'POST';
  }

  /** A wallet transaction in the wrong encoding is the reference's fault, not the string's. */
  #narrowed(code: string, span: Span, reference: Span | undefined): Span {
    return code === 'transaction-encoding' &&
      reference !== undefined &&
      this.checked.filled.isWalletReference(reference)
      ? reference
      : span;
  }
}

/** An id that no request of the batch has: the next number, or the text with a number behind it. */
function freeId(id: JsonValue, calls: readonly Call[]): JsonValue {
  const ids = calls.map(({ request }) => member(request, 'id'));
  for (let number = 2; ; number++) {
    const free = typeof id === 'string' ? `${id}${number}` : number;
    if (!ids.includes(free)) return free;
  }
}
