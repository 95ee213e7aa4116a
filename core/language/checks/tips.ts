// Transactions that go to a sender without the tip it wants. Kept apart from the other checks: it depends on the endpoint.
import { mayHold } from '../../document/chunk';
import { knownText } from '../../document/evaluate';
import type { Block, RequestDocument } from '../../document/model';
import type { Scope, Surroundings } from '../../document/variables';
import { tipProblem, wantedTip } from '../../providers/tips';
import { callsIn, placeOf, spanOf } from '../call';
import { fillBody } from '../fill';
import { endpointOf } from '../packs';
import { problem, type PlacedProblem } from './problem';

/** More blocks that send than these are not looked at. */
const MAX_BLOCKS = 500;
const SENDS = /"send(?:Transaction|Bundle)"/;

export function untippedIn(document: RequestDocument, scope: Scope, surroundings: Surroundings): PlacedProblem[] {
  const found: PlacedProblem[] = [];
  let looked = 0;
  for (const [index, chunk] of document.chunks.entries()) {
    if (!mayHold(chunk, '"send')) continue;
    let line = document.chunkLines[index] ?? 0;
    for (const block of chunk.blocks) {
      if (looked < MAX_BLOCKS && block.body !== undefined && SENDS.test(block.body.text)) {
        looked++;
        const url = urlOf(scope, block, endpointOf(document, block, surroundings)?.swqosUrl);
        const placed = document.placed(block, line);
        if (url !== undefined) for (const one of inBlock(scope, block, url)) found.push({ placed, problem: one });
      }
      line += block.lineStarts.length;
    }
  }
  return found;
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
    const place = message === undefined ? undefined : placeOf(body, call, ['params', 0]);
    return message === undefined || place === undefined ? [] : [problem('sender-tip', message, spanOf(place.node))];
  });
}
