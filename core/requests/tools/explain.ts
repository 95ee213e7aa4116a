// An explanation for language models: its members, with calls as one list, within the bound of an answer.
import { callsInOrder } from '../../solana/explain/calls';
import type { ExplainedCall, Explanation } from '../../solana/explain/explanation';
import { explanationJson } from '../../solana/explain/json';
import { placeText } from '../../solana/explain/text';
import { bytesText, fieldRows, visibleText, rowLine } from '../../solana/decode/decodedText';
import { isJsonArray, isJsonObject, member, printJson, type JsonObject, type JsonValue } from '../../solana/json/json';
import { boundedTexts } from './decode';
import { MAX_ANSWER } from './limits';

/** The shares of calls, logs and balances in an answer. UTF-16 units. */
const MAX_CALLS = MAX_ANSWER / 4;
const MAX_LOGS = MAX_ANSWER / 4;
const MAX_BALANCES = MAX_ANSWER / 8;
const MAX_NOTES = MAX_ANSWER / 16;

const HEAD = [
  'outcome',
  'version',
  'signature',
  'slot',
  'feePayer',
  'blockhash',
  'size',
  'signatures',
  'fee',
  'limits',
] as const;

/** Members of `Explanation`; `outcome.at` and `calls[].path` are as in the text: `1.2`. */
export function explainAnswer(explanation: Explanation): JsonObject {
  const whole = explanationJson(explanation);
  const all = callsInOrder(explanation.calls);
  const { lines: logs, moreLines: moreLogs } = boundedTexts(
    all.flatMap((call) => call.logs.map(visibleText)),
    MAX_LOGS,
  );
  let used = 0;
  const calls = fitting(
    all.map((call) => {
      const own = logs.slice(used, used + call.logs.length);
      used += call.logs.length;
      return callAnswer(call, own);
    }),
    MAX_CALLS + MAX_LOGS,
  );
  const owners = list(member(whole, 'balances'));
  const balances = fitting(owners, MAX_BALANCES);
  return {
    ...Object.fromEntries(
      HEAD.flatMap((name) => {
        const value = member(whole, name);
        return value === undefined ? [] : [[name, value] as const];
      }),
    ),
    ...(explanation.outcome.kind === 'failed' && { outcome: outcomeAnswer(explanation.outcome, whole) }),
    calls,
    ...(all.length > calls.length && { moreCalls: all.length - calls.length }),
    ...(moreLogs !== undefined && { moreLogs }),
    balances,
    ...(owners.length > balances.length && { moreBalances: owners.length - balances.length }),
    notes: boundedTexts(explanation.notes, MAX_NOTES).lines,
  };
}

/** The failing call as calls are named here. */
function outcomeAnswer({ at }: Extract<Explanation['outcome'], { kind: 'failed' }>, whole: JsonValue): JsonObject {
  const outcome = member(whole, 'outcome');
  return { ...(isJsonObject(outcome) ? outcome : {}), ...(at !== undefined && { at: placeText(at) }) };
}

function callAnswer(call: ExplainedCall, logs: readonly string[]): JsonObject {
  const { path, program, programName, name, units, fields, data, unread, accounts, failure, events, isCut } = call;
  const args = fieldRows(fields).map(rowLine);
  const happened = events.flatMap((event) => [
    visibleText(event.name),
    ...fieldRows(event.fields).map((row) => `  ${rowLine(row)}`),
  ]);
  return {
    path: placeText(path),
    program,
    ...(programName !== undefined && { programName: visibleText(programName) }),
    ...(name !== undefined && { name: visibleText(name) }),
    ...(units !== undefined && { units: explanationJson(units) }),
    ...(failure !== undefined && { failure: visibleText(failure) }),
    ...(args.length > 0 && { arguments: args }),
    ...(args.length === 0 && data !== undefined && data.length > 0 && { data: bytesText(data) }),
    ...(unread !== undefined && { notRead: visibleText(unread) }),
    ...(accounts.length > 0 && {
      accounts: accounts.map(({ role, address = '?' }) =>
        role === undefined ? address : `${visibleText(role)}: ${address}`,
      ),
    }),
    ...(logs.length > 0 && { logs }),
    ...(happened.length > 0 && { events: happened }),
    ...(isCut === true && { isCut }),
  };
}

const list = (value: JsonValue | undefined): readonly JsonValue[] => (isJsonArray(value) ? value : []);

/** As many values from the first on as fit. */
function fitting<T extends JsonValue>(values: readonly T[], most: number): readonly T[] {
  let left = most;
  const end = values.findIndex((value) => (left -= printJson(value).length) < 0);
  return end < 0 ? values : values.slice(0, end);
}
