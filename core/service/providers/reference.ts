// docs/providers.md, made from the table of providers. Text alone.
import { URL_OF, type Interface } from '../profiles/profile';
import { PROVIDERS } from './table';
import type { Provider, ProviderAddress, ProviderForm, SenderTip } from './types';
import { hasKeyPlace } from './urlText';

const NAMES: Readonly<Record<Interface, string>> = {
  rpc: 'HTTPS',
  ws: 'WebSocket',
  grpc: 'gRPC',
  rest: 'Usage',
  swqos: 'Priority sends',
};

const FACES = Object.keys(NAMES) as readonly Interface[];

const INTRO = `# Providers

*Add Endpoint* takes any address below and makes a profile of it: every interface that the address implies, with \`{key}\` where the key goes. The key itself goes to secret storage and never to settings. An address that is not listed is kept exactly as it was pasted; *Add Endpoint* offers to probe it: it shows each address first, asks each once (\`getHealth\`, a WebSocket subscription, gRPC \`GetVersion\`), and you choose from what answered. A sender’s address can become the \`swqosUrl\` of an endpoint that you have.

In a terminal the same addresses work with the key in the environment or on standard input:

\`\`\`sh not-run: needs a key of the provider
export SOLANA_RPC_KEY=…
solana-rpc run balances.jsonrpc --rpc-url 'https://mainnet.helius-rpc.com/?api-key={key}'
solana-rpc run balances.jsonrpc --provider helius
\`\`\`

## How a key travels

\`auth\` in a profile says it per interface (\`rpc\`, \`ws\`, \`grpc\`, \`rest\`, \`swqos\`); a URL with \`{key}\` needs no \`auth\`.

| \`auth\` | The key goes |
|---|---|
| \`bearer\` | into the header \`Authorization: Bearer KEY\`; what a profile means that says nothing |
| \`basic\` | into \`Authorization: Basic …\`; the key is \`USER:PASSWORD\` |
| \`header:NAME\` | into that header, or that metadata of gRPC |
| \`query:NAME\` | into that parameter of the URL; \`query\` alone is \`api_key\` |
| \`path\` | where the URL says \`{key}\`, in its path or its query |
| \`none\` | nowhere: the interface is asked without one |

Keys go only to the host that they were saved for. \`check\` reports a key that is written into a file wherever \`run\` would refuse it.
`;

export function providersReference(): string {
  return [INTRO, ...PROVIDERS.map(section), SENDING].join('\n');
}

function section(provider: Provider): string {
  const main = provider.forms.filter(({ isSecondary }) => isSecondary !== true);
  const rows = main.flatMap((form) => FACES.flatMap((face) => rowOf(form, face)));
  const more = provider.forms
    .filter(({ isSecondary }) => isSecondary === true)
    .flatMap(({ addresses }) =>
      FACES.flatMap((face) => (addresses[face] === undefined ? [] : [`\`${addresses[face].url}\``])),
    );
  const missing = missingOf(provider);
  return [
    `## ${provider.name}`,
    '',
    `\`--provider ${provider.id}\``,
    '',
    '| Cluster | Interface | Address | Key |',
    '|---|---|---|---|',
    ...rows,
    '',
    ...provider.notes.map((note) => `- ${note}`),
    ...(provider.hasOneKey === true ? ['- One key opens every interface: store it once, as the RPC key.'] : []),
    ...(more.length === 0 ? [] : [`- Also known: ${[...new Set(more)].join(', ')}.`]),
    ...(missing === '' ? [] : [`- Not served, or no address is known: ${missing}.`]),
    ...(provider.tip === undefined ? [] : [tipLine(provider.tip)]),
    '',
  ].join('\n');
}

function tipLine({ lamports, asOf, reduced }: SenderTip): string {
  const less = reduced === undefined ? '' : `, ${reduced.lamports} with \`${reduced.parameter}\``;
  return `- Least tip: ${lamports} lamports${less} (as of ${asOf}).`;
}

function rowOf({ cluster, addresses, values }: ProviderForm, face: Interface): readonly string[] {
  const address = addresses[face];
  if (address === undefined) return [];
  const names = Object.entries(values ?? {}).filter(([name]) => address.url.includes(`{${name}}`));
  const list = names.map(([name, known]) => `; ${name}: ${known.join(', ')}`).join('');
  return [
    `| ${cluster ?? 'any'} | ${NAMES[face]} (\`${URL_OF[face]}\`) | \`${address.url}\`${list} | ${keyOf(address)} |`,
  ];
}

function keyOf({ url, auth }: ProviderAddress): string {
  if (auth === undefined) return hasKeyPlace(url) ? 'in the URL' : 'none';
  return auth === 'none' ? 'none' : `\`${auth}\``;
}

/** Interfaces that no form of the provider has; a sender has only the one. */
function missingOf({ forms }: Provider): string {
  const has = (face: Interface): boolean => forms.some(({ addresses }) => addresses[face] !== undefined);
  if (!has('rpc')) return '';
  return FACES.filter((face) => !has(face) && face !== 'rest')
    .map((face) => NAMES[face])
    .join(', ');
}

const SENDING = `## Senders without JSON-RPC, and plain HTTP

bloXroute takes its own body format (\`{"transaction":{"content":"…"},"frontRunningProtection":false,"useStakedRPCs":true}\`) by POST at \`https://REGION.solana.dex.blxrbdn.com/api/v2/submit\` with the key in \`Authorization\`: send it with curl, and follow the signature with \`solana-rpc watch SIGNATURE\`.

0slot (\`http://REGION.0slot.trade/?api-key=…\`) and other senders that offer plain HTTP only are refused with a key: it would be readable on the way.
`;
