// A block in the words of other tools: variables filled in as far as they are known, a key as a variable of the
// environment.
import type { CopyForm, CopyKey, CopyRequest, CopiedRequest } from '../../copy/request';
import { writeKit } from '../../copy/kit';
import { writeCurl, writeGrpcurl, writeWebsocat, writeWscat } from '../../copy/shell';
import { writeWeb3 } from '../../copy/web3';
import { knownText } from '../../document/variables/evaluate';
import type { Block, PlacedBlock, Transport, Variable } from '../../document/model';
import type { Scope } from '../../document/variables/variables';
import { sameOrigin } from '../../../service/profiles/origin';
import type { AuthForm } from '../../../service/keys/authForm';
import type { EndpointProfile } from '../../../service/profiles/profile';
import { keyForms, urlMember } from '../../../service/providers/forms';
import { keylessAddress } from '../../../service/providers/urlText';
import { fillEnvelope } from '../../../solana/json/envelope';
import { member, parseJson, printJson } from '../../../solana/json/json';
import { INTERFACE_OF, isStream, transportOf } from '../../document/call';
import { callsIn, methodOf } from '../../../solana/json/calls';
import { secretsOf } from '../../checks/checkSecrets';
import { fillBody } from '../../document/variables/fill';
import { methodsOf } from '../../document/packs';

/** One way to copy a block: its text, or why this way cannot be gone. */
export interface CopyOffer {
  readonly form: CopyForm;
  readonly written: CopiedRequest;
}

export type CopyOffers =
  | {
      readonly kind: 'offers';
      readonly offers: readonly CopyOffer[];
      /** References whose value only a run can know; they are left in the text. */
      readonly open: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: string };

const WRITERS: Readonly<Record<CopyForm, (request: CopyRequest) => CopiedRequest>> = {
  curl: writeCurl,
  kit: writeKit,
  web3: writeWeb3,
  wscat: writeWscat,
  websocat: writeWebsocat,
  grpcurl: writeGrpcurl,
};

/** The tool for each transport. */
const FORMS: Readonly<Record<Transport, readonly CopyForm[]>> = {
  POST: ['curl', 'kit', 'web3'],
  SWQOS: ['curl', 'kit', 'web3'],
  WS: ['kit', 'web3', 'wscat', 'websocat'],
  GRPC: ['grpcurl'],
};

/** `profile`: the block's endpoint, if it has one. */
export function copyOffers(scope: Scope, { block }: PlacedBlock, profile: EndpointProfile | undefined): CopyOffers {
  const { body, requestLine } = block;
  const none = (reason: string): CopyOffers => ({ kind: 'refused', reason });
  // A call over gRPC may leave its message out.
  const isEmpty = body === undefined && requestLine?.transport === 'GRPC';
  if (!isEmpty && body?.valid !== true) return none('There is no request here that could be copied.');
  const secrets = secretsOf(scope, block);
  if (secrets !== undefined && (secrets.problems.length > 0 || secrets.variables.size > 0 || secrets.isInVariable))
    return none('This request contains a key. Move it to secret storage before you copy it.');

  const value = body === undefined ? {} : fillBody(scope, block, body).filled.value;
  const methods = methodsOf(scope.surroundings);
  const transport = transportOf(block, methods, value);
  const expanded = (raw: string): string => knownText({ scope, block }, raw) ?? raw;
  const own = requestLine?.url === undefined ? undefined : expanded(requestLine.url.text);
  const usual = profile?.[urlMember(INTERFACE_OF[transport], profile)];
  const address = own ?? usual;
  if (address === undefined) return none('There is no endpoint that this request goes to.');
  const isKeyless = block.settings.auth === 'none';
  const reached = (written: string): string | undefined => (isKeyless ? keylessAddress(written) : written);
  const url = reached(address);
  if (url === undefined) return none('The key is part of the address, which cannot be asked without it.');

  let next = 1;
  const sent = transport === 'GRPC' ? printJson(value) : fillEnvelope(printJson(value), () => next++).body;
  const httpUrl = profile?.rpcUrl === undefined ? undefined : reached(profile.rpcUrl);
  const isMine = own === undefined || (usual !== undefined && sameOrigin(own, usual));
  const request: CopyRequest = {
    transport,
    url,
    ...(httpUrl !== undefined && { httpUrl }),
    headers: block.headers
      .map(({ name, value: given }) => [name.text, expanded(given.text)] as const)
      .filter(([, given]) => !given.includes('{{')),
    body: sent,
    calls:
      transport === 'GRPC'
        ? []
        : callsIn(parseJson(sent)).map(({ request: call }) => ({
            method: methodOf(call) ?? '',
            record: methods.named(methodOf(call) ?? ''),
            // Nodes treat null as absent.
            params: member(call, 'params') ?? undefined,
          })),
    numbers: new Set(block.variables.filter(isFromEnvironment).map(({ name }) => name.text)),
    isBatch: sent.startsWith('['),
    ...(transport === 'GRPC' && {
      call: { path: grpcPath(block), isStream: isStream(block, methods, value) === true },
    }),
    // A key is for the endpoint's own origin: no other host is asked with it.
    keys: isMine && !isKeyless ? keysOf(transport, profile, url) : [],
  };
  const offers = FORMS[transport].map((form): CopyOffer => ({ form, written: WRITERS[form](request) }));
  return { kind: 'offers', offers, open: [...new Set(`${url}\n${sent}`.match(/\{\{[^{}]*\}\}/g) ?? [])] };
}

const isFromEnvironment = ({ name, value }: Variable): boolean => value.text === `{{$processEnv ${name.text}}}`;

function grpcPath(block: Block): string {
  const { service, method } = block.requestLine ?? {};
  return `${service?.text ?? ''}/${method?.text ?? ''}`;
}

const KEYS: Readonly<Record<Transport, string>> = {
  POST: 'SOLANA_RPC_KEY',
  WS: 'SOLANA_RPC_KEY',
  SWQOS: 'SOLANA_SWQOS_KEY',
  GRPC: 'SOLANA_GRPC_KEY',
};

/** How the keys travel; in the order in which net asks for them. */
function keysOf(transport: Transport, profile: EndpointProfile | undefined, url: string): readonly CopyKey[] {
  const key = (auth: AuthForm | undefined, variable: string): readonly CopyKey[] =>
    auth === undefined || auth === 'none' ? [] : [{ auth, variable }];
  const placed = { profile: profile ?? { name: '' }, source: 'user' } as const;
  const { auth, beside } = keyForms(placed, INTERFACE_OF[transport], url);
  return [...key(auth, KEYS[transport]), ...key(beside, KEYS.POST)];
}
