// The target of the request at a line, as a key query, for moving a key from the file to storage. Ignores a key in the
// URL.
import { originOf } from '../../../service/profiles/origin';
import type { EndpointProfile, KeyQuery } from '../../../service/profiles/profile';
import { urlMember } from '../../../service/providers/forms';
import { knownText } from '../../document/variables/evaluate';
import type { PlacedBlock } from '../../document/model';
import type { Scope } from '../../document/variables/variables';
import { INTERFACE_OF, transportOf } from '../../document/call';
import { methodsOf } from '../../document/packs';

/** Undefined if the line belongs to no request, or its URL is unknown before a run. */
export function destinationOf(
  scope: Scope,
  { block }: PlacedBlock,
  profile: EndpointProfile | undefined,
): KeyQuery | undefined {
  if (block.body === undefined && block.requestLine === undefined) return undefined;
  const asked = INTERFACE_OF[transportOf(block, methodsOf(scope.surroundings))];
  const url = urlMember(asked, profile);
  const face = url === 'rpcUrl' ? 'rpc' : asked;
  const own = block.requestLine?.url?.text;
  const text = own === undefined ? profile?.[url] : (knownText({ scope, block }, own) ?? own);
  const origin = originOf(text ?? '');
  if (origin === undefined) return undefined;
  // A host that is not the endpoint's has its keys under its own name.
  const name = originOf(profile?.[url] ?? '') === origin ? profile?.name : undefined;
  const type = asked === 'swqos' || asked === 'grpc' ? asked : 'rpc';
  return { type, interface: face, origin, profile: name ?? new URL(origin).host };
}
