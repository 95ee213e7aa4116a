// Facts about an answer's value for its summary: its slot, and the unit of a bare number.
import { bareUnit } from '../../core/requests/methods/resultShape';
import { STANDARD_METHODS } from '../../core/requests/methods';
import { StoredResponse } from '../../core/service/response/stored';
import type { LargeBody, RequestReport } from '../../core/requests/run/model';
import { member, printJson, type JsonValue } from '../../core/solana/json/json';
import type { ExecuteOutcome } from '../../protocol/lsp';

export async function factsOf({
  method,
  response,
  large,
}: RequestReport): Promise<Pick<ExecuteOutcome, 'slot' | 'unit' | 'genesisHash'>> {
  const slot = slotOf(response) ?? (await slotIn(large));
  const unit = bareUnit(method, STANDARD_METHODS);
  const genesisHash = method === 'getGenesisHash' ? member(response, 'result') : undefined;
  return {
    ...(typeof genesisHash === 'string' && { genesisHash }),
    ...(slot !== undefined && { slot }),
    ...(unit !== undefined && { unit }),
  };
}

/** The same of a response that is in a file. */
async function slotIn(large: LargeBody | undefined): Promise<string | undefined> {
  if (large === undefined) return undefined;
  const stored = new StoredResponse(large.file, () => large.outline);
  const found = await stored.value(['result', 'context', 'slot'], 100);
  return found?.kind === 'value' ? printJson(found.value) : undefined;
}

/** `result.context.slot` as its digits. */
function slotOf(response: JsonValue | undefined): string | undefined {
  const slot = member(member(member(response, 'result'), 'context'), 'slot');
  return slot === undefined ? undefined : printJson(slot);
}
