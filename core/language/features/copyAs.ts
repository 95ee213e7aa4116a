// A block in the words of other tools: variables filled in as far as they are known, a key as a variable of the
// environment.
import type { CopyForm, CopyKey, CopyRequest, Written } from '../../copy/request';
import { writeKit } from '../../copy/kit';
import { writeCurl, writeGrpcurl, writeWebsocat, writeWscat } from '../../copy/shell';
import { writeWeb3 } from '../../copy/web3';
import type { Block, PlacedBlock, Transport } from '../../document/model';
import type { Scope } from '../../document/variables';
import { sameOrigin } from '../../origin';
import { sharePlace, type AuthForm } from '../../authForm';
import type { EndpointProfile } from '../../profile';
import { fillEnvelope } from '../../run/envelope';
import { member, parseJson, printJson } from '../../values/json/json';
import { callsIn, isStream, methodOf, transportOf } from '../call';
import { secretsOf } from '../checks/checkSecrets';
import { fillBody } from '../fill';

/** One way to copy a block: its text, or why this way cannot be gone. */
export interface CopyOffer {
  readonly form: CopyForm;
  readonly written: Written;
}

export type CopyOffers =
  | {
      readonly kind: 'offers';
      readonly offers: readonly CopyOffer[];
      /** References whose value only a run can know; they stand in the text. */
      readonly open: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: string };

const WRITERS: Readonly<Record<CopyForm, (request: CopyRequest) => Written>> = {
  curl: writeCurl,
  kit: writeKit,
  web3: writeWeb3,
  wscat: writeWscat,
  websocat: writeWebsocat,
  grpcurl: writeGrpcurl,
};

/** What speaks each transport. */
const FORMS: Readonly<Record<Transport, readonly CopyForm[]>> = {
  POST: ['curl', 'kit', 'web3'],
  SWQOS: ['curl', 'kit', 'web3'],
  WS: ['kit', 'web3', 'wscat', 'websocat'],
  GRPC: ['grpcurl'],
};

const URLS = { POST: 'rpcUrl', SWQOS: 'rpcUrl', WS: 'wsUrl', GRPC: 'grpcUrl' } as const;

/** `profile`: the endpoint the block goes to; undefined where there is none. */
export function copyOffers(scope: Scope, { block }: PlacedBlock, profile: EndpointProfile | undefined): CopyOffers {
  const { body, requestLine } = block;
  const none = (reason: string): CopyOffers => ({ kind: 'refused', reason });
  // A call over gRPC may leave its message out.
  const isEmpty = body === undefined && requestLine?.transport === 'GRPC';
  if (!isEmpty && body?.valid !== true) return none('There is no request here that could be copied.');
  const secrets = secretsOf(scope, block);
  if (secrets !== undefined && (secrets.problems.length > 0 || secrets.variables.size > 0))
    return none('A key stands in this request. Move it to secret storage before you copy it.');

  const value = body === undefined ? {} : fillBody(scope, block, body).filled.value;
  const transport = transportOf(block, value);
  const own = requestLine?.url === undefined ? undefined : expanded(scope, block, requestLine.url.text);
  const usual = profile?.[URLS[transport]];
  const url = own ?? usual;
  if (url === undefined) return none('There is no endpoint that this request goes to.');

  let next = 1;
  const sent = transport === 'GRPC' ? printJson(value) : fillEnvelope(printJson(value), () => next++).body;
  const isMine = own === undefined || (usual !== undefined && sameOrigin(own, usual));
  const request: CopyRequest = {
    transport,
    url,
    ...(profile?.rpcUrl !== undefined && { httpUrl: profile.rpcUrl }),
    headers: block.headers
      .map(({ name, value: given }) => [name.text, expanded(scope, block, given.text)] as const)
      .filter(([, given]) => !given.includes('{{')),
    body: sent,
    calls:
      transport === 'GRPC'
        ? []
        : callsIn(parseJson(sent)).map(({ request: call }) => ({
            method: methodOf(call) ?? '',
            // Null is what nodes take for none.
            params: member(call, 'params') ?? undefined,
          })),
    isBatch: sent.startsWith('['),
    ...(transport === 'GRPC' && {
      call: { path: grpcPath(block), isStream: isStream(block, value) === true },
    }),
    // A key is for the endpoint's own origin: no other host is asked with it.
    keys: isMine ? keysOf(transport, profile) : [],
  };
  const offers = FORMS[transport].map((form): CopyOffer => ({ form, written: WRITERS[form](request) }));
  return { kind: 'offers', offers, open: [...new Set(`${url}\n${sent}`.match(/\{\{[^{}]*\}\}/g) ?? [])] };
}

function expanded(scope: Scope, block: Block, raw: string): string {
  const found = raw.includes('{{') ? scope.expand(block, raw) : undefined;
  return found?.kind === 'known' && typeof found.value === 'string' ? found.value : raw;
}

function grpcPath(block: Block): string {
  const { service, method } = block.requestLine ?? {};
  return `${service?.text ?? ''}/${method?.text ?? ''}`;
}

const RPC_KEY = 'SOLANA_RPC_KEY';

/** How the keys travel where the profile says nothing else (open points, "how the key travels"). */
function keysOf(transport: Transport, profile: EndpointProfile | undefined): readonly CopyKey[] {
  const forms = profile?.auth ?? {};
  const key = (auth: AuthForm, variable: string): readonly CopyKey[] => (auth === 'none' ? [] : [{ auth, variable }]);
  const rpc = forms.rpc ?? 'bearer';
  switch (transport) {
    case 'POST':
      return key(rpc, RPC_KEY);
    case 'WS':
      return key(forms.ws ?? 'bearer', RPC_KEY);
    case 'GRPC':
      return key(forms.grpc ?? 'bearer', 'SOLANA_GRPC_KEY');
    case 'SWQOS': {
      if (rpc === 'none' && forms.swqos === undefined) return [];
      const swqos = forms.swqos ?? (sharePlace(rpc, 'query') ? 'bearer' : 'query');
      // The two cannot share one place: said to do so, the SWQoS key goes alone.
      return [
        ...key(swqos, 'SOLANA_SWQOS_KEY'),
        ...(sharePlace(swqos, rpc) || swqos === 'none' ? [] : key(rpc, RPC_KEY)),
      ];
    }
  }
}
