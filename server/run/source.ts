// Reads an endpoint for a local service that is a fork of it: reads only, with the endpoint's key and within its plan.
import { ok } from '../../core/service/errors';
import { readResult } from '../../net/readResult';
import { settleInterface } from '../../net/target/target';
import { questionOf } from '../../process/sourceQuestions';
import { askSource } from '../../process/sourceReads';
import type { ReadSourceParams, ReadSourceResult } from '../../protocol/source';
import { profileNamed } from '../profiles';
import type { Window } from '../window';
import type { Transports } from './transports';

/** Of one answer, which crosses to the editor as text. Bytes. */
const MAX_ANSWER = 64 * 1024 * 1024;

export async function readForFork(
  window: Window,
  transports: Transports,
  { profile, question }: ReadSourceParams,
  signal: AbortSignal,
): Promise<ReadSourceResult> {
  const asked = questionOf(question);
  if (asked === undefined) return { ok: false, message: 'A fork does not need this read.' };
  const placed = profileNamed(window, profile);
  if (placed === undefined) return { ok: false, message: `There is no endpoint named “${profile}” any more.` };
  const target = settleInterface(placed, 'rpc');
  if (!target.ok) return { ok: false, message: target.error.message };
  const read = await transports.use(async (net) => {
    const reading = { net, target: target.value, signal, maxBytes: MAX_ANSWER };
    return ok(await askSource(asked, (method, params) => readResult(reading, method, params), signal));
  });
  return read.ok ? read.value : { ok: false, message: read.error.message };
}
