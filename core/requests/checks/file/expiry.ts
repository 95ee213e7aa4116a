// Transactions whose blockhash has expired, as far as earlier answers show. Separate from the other checks: its result
// changes with the answers of the network, not with the text.
import { blocksIn, placedBlocks } from '../../document/chunk';
import type { Block, Chunk, RequestDocument } from '../../document/model';
import type { Scope } from '../../document/variables/variables';
import type { MethodTable } from '../../methods';
import { perObject } from '../../../solana/common/perObject';
import { methodsOf } from '../../document/packs';
import { isJsonArray, member, type JsonValue } from '../../../solana/json/json';
import { partPlace, nodeSpan } from '../../document/call';
import { callsIn, methodOf, type Call } from '../../../solana/json/calls';
import type { PlacedProblem } from '../problem';
import { fillBody } from '../../document/variables/fill';
import { problem } from '../problem';
import { blockhashOf } from '../../../solana/wire/transactionText';

/** More blocks with transactions than these are not looked at. */
const MAX_BLOCKS = 500;

const MESSAGE =
  'The blockhash of this transaction has expired: nodes refuse it. Sign the transaction again with a fresh blockhash.';

/** The problems of a file's transactions; `expired` holds blockhashes in base58. */
export function expiredIn(document: RequestDocument, scope: Scope, expired: ReadonlySet<string>): PlacedProblem[] {
  if (expired.size === 0) return [];
  const found: PlacedProblem[] = [];
  let looked = 0;
  for (const placed of placedBlocks(document, transactionsIn)) {
    if (++looked > MAX_BLOCKS) break;
    for (const fault of inBlock(scope, placed.block, expired)) found.push({ placed, problem: fault });
  }
  return found;
}

/** The blocks of a chunk that speak of a transaction, with lines counted from its first one. */
const transactionsIn = perObject((chunk: Chunk) =>
  blocksIn(chunk, 'Transaction', ({ body }) => body?.text.includes('Transaction') === true),
);

function inBlock(scope: Scope, block: Block, expired: ReadonlySet<string>): PlacedProblem['problem'][] {
  const { body } = block;
  if (body?.valid !== true) return [];
  return callsIn(fillBody(scope, block, body).filled.value).flatMap((call) => {
    const text = transactionIn(call, methodsOf(scope.surroundings));
    const blockhash = text === undefined ? undefined : blockhashOf(text);
    const place = blockhash !== undefined && expired.has(blockhash) ? partPlace(body, call, ['params', 0]) : undefined;
    return place === undefined ? [] : [problem('blockhash-expired', MESSAGE, nodeSpan(place.node))];
  });
}

/** The transaction of a call that sends one; a simulation may put a fresh blockhash in its place. */
function transactionIn({ request }: Call, methods: MethodTable): string | undefined {
  const spec = methods.named(methodOf(request) ?? '')?.params[0]?.spec;
  const params = member(request, 'params');
  if (spec?.kind !== 'transaction' || !isJsonArray(params)) return undefined;
  const [text, config]: readonly JsonValue[] = params;
  return typeof text === 'string' && member(config, 'replaceRecentBlockhash') !== true ? text : undefined;
}
