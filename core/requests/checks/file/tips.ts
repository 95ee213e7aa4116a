// Transactions that go to a sender without the tip it wants. Kept apart from the other checks: it depends on the endpoint.
import { knownText } from '../../document/variables/evaluate';
import type { Block, PlacedBlock } from '../../document/model';
import type { Scope } from '../../document/variables/variables';
import { tipProblem, wantedTip } from '../../../service/providers/tips';
import { partPlace, nodeSpan } from '../../document/call';
import { callsIn } from '../../../solana/json/calls';
import { fillBody } from '../../document/variables/fill';
import { endpointOf } from '../../document/packs';
import { problem, type PlacedProblem } from '../problem';

/** More blocks that send than these are not looked at. */
const MAX_BLOCKS = 500;

/** `sends`: the blocks of the file that send a transaction under a request line; no other goes to a sender. */
export function untippedIn(scope: Scope, sends: readonly PlacedBlock[]): PlacedProblem[] {
  const { document, surroundings } = scope;
  return sends.slice(0, MAX_BLOCKS).flatMap((placed) => {
    const { block } = placed;
    const url = urlOf(scope, block, endpointOf(document, block, surroundings)?.swqosUrl);
    return url === undefined ? [] : inBlock(scope, block, url).map((one) => ({ placed, problem: one }));
  });
}

/** Where the block goes: its own URL if a run is not needed to know it, else the endpoint's sender for `SWQOS`. */
function urlOf(scope: Scope, block: Block, sender: string | undefined): string | undefined {
  const { requestLine } = block;
  const own = requestLine?.url?.text;
  if (own === undefined) return requestLine?.transport === 'SWQOS' ? sender : undefined;
  return own.includes('{{') ? knownText({ scope, block }, own) : own;
}

function inBlock(scope: Scope, block: Block, url: string): PlacedProblem['problem'][] {
  const tip = wantedTip(url);
  const { body } = block;
  if (tip === undefined || body?.valid !== true) return [];
  return callsIn(fillBody(scope, block, body).filled.value).flatMap((call) => {
    const message = tipProblem(tip, call.request);
    const place = message === undefined ? undefined : partPlace(body, call, ['params', 0]);
    return message === undefined || place === undefined ? [] : [problem('sender-tip', message, nodeSpan(place.node))];
  });
}
