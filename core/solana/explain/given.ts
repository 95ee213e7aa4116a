// Explains what somebody gives: a transaction's text, a node's JSON, or a request together with its response.
import type { Programs } from '../decode/decoded';
import { transactionFromJson, transactionFromWire } from '../decode/transactions/decode';
import { landedMeta } from '../decode/transactions/simulated';
import { decodeBase58 } from '../encoding/base58';
import { decodeBase64 } from '../encoding/base64';
import { integerOf, isJsonArray, isJsonObject, jsonOf, member, type JsonObject, type JsonValue } from '../json/json';
import { wireMessage, wireTransaction } from '../wire/transactionText';
import { explainTransaction, type Evidence } from './explain';
import type { Explanation } from './explanation';
import { wireEvidence } from './signatures';
import { simulationEvidence } from './simulation';

/** An explanation, or a sentence that says why it failed. */
export type Explained = Explanation | string;

/** A transaction in base64 or base58, or a node's answer with one as JSON text. */
export function explainedText(text: string, programs: Programs): Explained {
  if (text.trimStart().startsWith('{')) {
    const answer = jsonOf(text);
    return answer === undefined ? 'It looks like JSON but cannot be parsed.' : explainedAnswer(answer, programs);
  }
  const read = wireTransaction(text);
  const message = typeof read === 'string' ? wireMessage(text) : undefined;
  const wire = message ?? read;
  if (typeof wire === 'string') return wire;
  const transaction = transactionFromWire(wire.bytes, programs);
  if (!transaction.ok) return `${transaction.reason}.`;
  const explanation = explainTransaction(transaction.value, wireEvidence(wire.bytes));
  if (message === undefined) return explanation;
  const { signature: _, ...unsigned } = explanation;
  return { ...unsigned, notes: [UNSIGNED, ...explanation.notes] };
}

const UNSIGNED =
  'This is a message without its signatures: sign it and send it with them. Size and fee here are those of the signed transaction.';

const UNKNOWN =
  'The node does not know this transaction: it has not landed yet, it was dropped, or the node no longer keeps its block.';

/** A whole answer of a node with a transaction, its result, or the transaction of a block. */
export function explainedAnswer(answer: JsonValue, programs: Programs): Explained {
  const result = member(answer, 'result') ?? answer;
  return explainedMeta(result, {}, programs);
}

function explainedMeta(result: JsonValue, beside: Evidence, programs: Programs): Explained {
  const transaction = transactionFromJson(result, programs);
  if (!transaction.ok) return `${transaction.reason}.`;
  const bytes = bytesOf(member(result, 'transaction'));
  return explainTransaction(transaction.value, { ...beside, ...(bytes !== undefined && wireEvidence(bytes)) });
}

function bytesOf(transaction: JsonValue | undefined): Uint8Array | undefined {
  const [text, encoding] = isJsonArray(transaction) ? transaction : [];
  if (typeof text !== 'string') return undefined;
  return encoding === 'base64' ? decodeBase64(text) : encoding === 'base58' ? decodeBase58(text) : undefined;
}

/**
 * A request that holds or names a transaction, with what came back: `getTransaction`, `sendTransaction`,
 * `simulateTransaction`. Undefined where they are about none. `before`: the answer to the request that
 * was sent before a simulation (simulationRequests).
 */
export function explainedExchange(
  request: JsonValue,
  response: JsonValue,
  programs: Programs,
  before?: JsonValue,
): Explained | undefined {
  const result = member(response, 'result');
  switch (member(request, 'method')) {
    case 'getTransaction':
      if (result === null) return UNKNOWN;
      return result === undefined ? undefined : explainedAnswer(result, programs);
    case 'simulateTransaction':
      return explainedRun(request, member(result, 'value'), programs, before);
    case 'sendTransaction':
      // A failed preflight is a simulation; without one the transaction has been sent, and that is all that is known.
      return explainedRun(request, member(member(response, 'error'), 'data'), programs);
    default:
      return undefined;
  }
}

/** The transaction of a request with what a simulation of it said. */
function explainedRun(
  request: JsonValue,
  run: JsonValue | undefined,
  programs: Programs,
  before?: JsonValue,
): Explained | undefined {
  const params = member(request, 'params');
  const [text, config] = isJsonArray(params) ? params : [];
  if (typeof text !== 'string') return undefined;
  const encoding = member(config, 'encoding') === 'base64' ? 'base64' : 'base58';
  const loadedAccountsData = integerOf(member(run, 'loadedAccountsDataSize'));
  const hasRun = isJsonObject(run) && Object.hasOwn(run, 'err');
  const whole: JsonObject = { transaction: [text, encoding], ...(hasRun && { meta: landedMeta(run) }) };
  const beside = {
    ...(loadedAccountsData !== undefined && { loadedAccountsData }),
    ...(before !== undefined && simulationEvidence(config, run, before, programs)),
  };
  return explainedMeta(whole, beside, programs);
}
