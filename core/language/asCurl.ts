// A block as a curl command: variables filled in as far as they are known, the key as a variable of the shell.
import { fillEnvelope } from '../run/envelope';
import { writeCurl } from '../curl/write';
import type { PlacedBlock } from '../document/model';
import type { Scope } from '../document/variables';
import type { EndpointProfile } from '../profile';
import { printJson } from '../values/json';
import { transportOf } from './call';
import { secretsOf } from './checkSecrets';
import { fillBody } from './fill';

export type CopiedText =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'refused'; readonly reason: string };

const refused = (reason: string): CopiedText => ({ kind: 'refused', reason });

/** `profile`: the endpoint the block goes to; undefined where there is none. */
export function asCurl(scope: Scope, { block }: PlacedBlock, profile: EndpointProfile | undefined): CopiedText {
  const { body, requestLine, headers } = block;
  if (body?.valid !== true) return refused('There is no request here that could be copied.');
  const filled = fillBody(scope, block, body);
  const { value } = filled.filled;
  const transport = transportOf(block, value);
  if (transport === 'WS' || transport === 'GRPC')
    return refused('curl speaks HTTP, and this request goes another way.');
  const secrets = secretsOf(scope, block);
  if (secrets !== undefined && (secrets.problems.length > 0 || secrets.variables.size > 0))
    return refused('A key stands in this request. Move it to secret storage before you copy it.');
  const text = (raw: string): string => {
    const found = raw.includes('{{') ? scope.expand(block, raw) : undefined;
    return found?.kind === 'known' && typeof found.value === 'string' ? found.value : raw;
  };
  const url = requestLine?.url === undefined ? profile?.rpcUrl : text(requestLine.url.text);
  if (url === undefined) return refused('There is no endpoint that this request goes to.');
  const isSwqos = transport === 'SWQOS';
  const own = requestLine?.url === undefined ? (profile?.auth?.[isSwqos ? 'swqos' : 'rpc'] ?? 'bearer') : 'none';
  let next = 1;
  return {
    kind: 'text',
    text: writeCurl({
      url,
      headers: headers
        .filter(({ value: given }) => !given.text.includes('{{'))
        .map((one) => [one.name.text, one.value.text]),
      body: fillEnvelope(printJson(value), () => next++).body,
      auth: own,
      variable: isSwqos ? 'SOLANA_SWQOS_KEY' : 'SOLANA_RPC_KEY',
    }),
  };
}
