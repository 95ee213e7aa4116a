// The providers whose addresses are known, as data. What a pasted address means, where a key goes, what `check` flags,
// `--provider` and docs/providers.md derive from it. Sources: each provider's public documentation, November 2026.
import { SENDERS } from './senders';
import type { Provider, ProviderForm } from './types';

const TOKEN = 'header:x-token';

/** HTTPS and the WebSocket at one address. */
const web = (address: string, auth?: 'none'): Pick<ProviderForm['addresses'], 'rpc' | 'ws'> => ({
  rpc: { url: `https://${address}`, ...(auth !== undefined && { auth }) },
  ws: { url: `wss://${address}`, ...(auth !== undefined && { auth }) },
});

const HELIUS_MAINNET: ProviderForm = {
  cluster: 'mainnet',
  values: {
    region: [
      'mainnet-ewr',
      'mainnet-pitt',
      'mainnet-slc',
      'mainnet-lax',
      'mainnet-lon',
      'mainnet-ams',
      'mainnet-fra',
      'mainnet-tyo',
      'mainnet-sgp',
    ],
  },
  addresses: {
    ...web('mainnet.helius-rpc.com/?api-key={key}'),
    grpc: { url: 'https://laserstream-{region}.helius-rpc.com', auth: TOKEN },
    swqos: { url: 'https://sender.helius-rpc.com/fast', auth: 'none' },
  },
  knownBy: ['rpc', 'ws', 'grpc'],
};

const RPC_PROVIDERS: readonly Provider[] = [
  {
    id: 'helius',
    name: 'Helius',
    hasOneKey: true,
    packs: ['das', 'helius'],
    forms: [
      HELIUS_MAINNET,
      {
        cluster: 'devnet',
        addresses: {
          ...web('devnet.helius-rpc.com/?api-key={key}'),
          grpc: { url: 'https://laserstream-devnet-ewr.helius-rpc.com', auth: TOKEN },
        },
      },
      {
        ...HELIUS_MAINNET,
        isSecondary: true,
        addresses: { ...HELIUS_MAINNET.addresses, rpc: { url: 'https://beta.helius-rpc.com/?api-key={key}' } },
        knownBy: ['rpc'],
      },
      {
        cluster: 'mainnet',
        isSecondary: true,
        addresses: web('atlas-mainnet.helius-rpc.com/?api-key={key}'),
      },
    ],
    notes: [
      'Paste the RPC URL of the dashboard. gRPC is LaserStream in Newark (`mainnet-ewr`): change `grpcUrl` for another region.',
      '`SWQOS` lines of mainnet go to Helius Sender, which takes no key and wants a tip.',
    ],
  },
  {
    id: 'quicknode',
    name: 'QuickNode',
    hasOneKey: true,
    packs: ['quicknode', 'das'],
    forms: [
      ...(['mainnet', 'devnet', 'testnet'] as const).map((cluster): ProviderForm => ({
        cluster,
        addresses: {
          ...web(`{name}.solana-${cluster}.quiknode.pro/{key}/`),
          grpc: { url: `https://{name}.solana-${cluster}.quiknode.pro:10000`, auth: TOKEN },
        },
      })),
      {
        cluster: 'mainnet',
        isSecondary: true,
        addresses: web('{name}.quiknode.pro/{key}/'),
      },
    ],
    notes: [
      'Paste the HTTP Provider URL. Yellowstone gRPC is an add-on at port 10000; newer endpoints serve it at 443, too.',
    ],
  },
  {
    id: 'alchemy',
    name: 'Alchemy',
    hasOneKey: true,
    packs: ['das'],
    forms: (['mainnet', 'devnet'] as const).map((cluster) => ({
      cluster,
      addresses: {
        ...web(`solana-${cluster}.g.alchemy.com/v2/{key}`),
        grpc: { url: `https://solana-${cluster}.g.alchemy.com`, auth: 'header:X-Token' },
      },
    })),
    notes: ['Paste the HTTPS URL of the app.'],
  },
  {
    id: 'chainstack',
    name: 'Chainstack',
    forms: [
      ...(['mainnet', 'devnet'] as const).map((cluster): ProviderForm => ({
        cluster,
        addresses: {
          ...web(`solana-${cluster}.core.chainstack.com/{key}`),
          grpc: { url: `https://yellowstone-solana-${cluster}.core.chainstack.com`, auth: TOKEN },
        },
      })),
      {
        isSecondary: true,
        addresses: {
          rpc: { url: 'https://{name}.p2pify.com/{key}' },
          ws: { url: 'wss://ws-{name}.p2pify.com/{key}' },
        },
      },
    ],
    notes: [
      'Paste the HTTPS endpoint, with its key in the path or as `https://USER:PASSWORD@HOST`: then the key is `USER:PASSWORD`.',
      'Yellowstone gRPC has a separate x-token, which is the gRPC key.',
    ],
  },
  {
    id: 'triton',
    name: 'Triton One',
    hasOneKey: true,
    packs: ['triton', 'das'],
    forms: (['mainnet', 'devnet', 'testnet'] as const).map((cluster) => ({
      cluster,
      addresses: {
        ...web(`{name}.${cluster}.rpcpool.com/{key}`),
        grpc: { url: `https://{name}.${cluster}.rpcpool.com`, auth: TOKEN },
      },
    })),
    notes: ['Paste the endpoint with its token in the path. gRPC (Dragon’s Mouth) takes the same token as `x-token`.'],
  },
  {
    id: 'ankr',
    name: 'Ankr',
    forms: (
      [
        ['mainnet', 'solana'],
        ['devnet', 'solana_devnet'],
      ] as const
    ).map(([cluster, net]) => ({
      cluster,
      addresses: {
        rpc: { url: `https://rpc.ankr.com/${net}/{key}` },
        ws: { url: `wss://rpc.ankr.com/${net}/ws/{key}` },
      },
    })),
    notes: ['Paste the HTTPS endpoint. The WebSocket has `/ws/` before the key. No gRPC address is known.'],
  },
  {
    id: 'drpc',
    name: 'dRPC',
    forms: [
      ...(
        [
          ['mainnet', 'solana'],
          ['devnet', 'solana-devnet'],
        ] as const
      ).flatMap(([cluster, net]): ProviderForm[] => [
        {
          cluster,
          addresses: web(`lb.drpc.live/${net}/{key}`),
        },
        {
          cluster,
          isSecondary: true,
          addresses: {
            rpc: { url: `https://lb.drpc.org/ogrpc?network=${net}&dkey={key}` },
            ws: { url: `wss://lb.drpc.org/ogws?network=${net}&dkey={key}` },
          },
        },
        {
          cluster,
          isSecondary: true,
          addresses: web(`lb.drpc.org/${net}/{key}`),
        },
      ]),
    ],
    notes: ['Paste the HTTPS endpoint; the older form with `dkey=` is known as well. No gRPC address is known.'],
  },
  {
    id: 'publicnode',
    name: 'PublicNode',
    forms: [
      {
        cluster: 'mainnet',
        addresses: {
          ...web('solana-rpc.publicnode.com/', 'none'),
          grpc: { url: 'https://solana-yellowstone-grpc.publicnode.com', auth: 'none' },
        },
      },
    ],
    notes: [
      'Needs no key. With a personal token for gRPC set `auth.grpc` to `header:x-token` and store it as the gRPC key.',
    ],
  },
  {
    id: 'shyft',
    name: 'Shyft',
    packs: ['das'],
    forms: [
      {
        cluster: 'mainnet',
        values: { region: ['ams', 'fra', 'ny', 'va', 'sgp', 'eu', 'us'] },
        addresses: {
          ...web('rpc.shyft.to/?api_key={key}'),
          grpc: { url: 'https://grpc.{region}.shyft.to', auth: TOKEN },
        },
      },
      {
        cluster: 'devnet',
        addresses: web('devnet-rpc.shyft.to/?api_key={key}'),
      },
    ],
    notes: [
      'Paste the RPC URL. gRPC is in Amsterdam (`ams`): change `grpcUrl` for another region; its x-token is the gRPC key.',
    ],
  },
  {
    id: 'erpc',
    name: 'ERPC',
    forms: [
      {
        cluster: 'mainnet',
        addresses: web('edge.erpc.global/?api-key={key}'),
      },
      {
        cluster: 'mainnet',
        isSecondary: true,
        addresses: { grpc: { url: 'https://grpc-{region}.erpc.global', auth: 'none' } },
      },
    ],
    notes: [
      'Paste the RPC URL. gRPC is opened to addresses on an IP list; with a token set `auth.grpc` to `header:x-token`.',
    ],
  },
  {
    id: 'getblock',
    name: 'GetBlock',
    forms: ['io', 'us', 'asia'].map((zone, index) => ({
      ...(index > 0 && { isSecondary: true as const }),
      addresses: { rpc: { url: `https://go.getblock.${zone}/{key}/` } },
    })),
    notes: [
      'Paste the JSON-RPC endpoint: its key also says which cluster it is. WebSocket and gRPC addresses are separate: paste them as separate endpoints.',
    ],
  },
  {
    id: 'syndica',
    name: 'Syndica',
    forms: [
      ...(['mainnet', 'devnet'] as const).flatMap((cluster) =>
        ['api-key', 'api-token'].map((step, index): ProviderForm => ({
          cluster,
          ...(index > 0 && { isSecondary: true }),
          addresses: web(`solana-${cluster}.api.syndica.io/${step}/{key}`),
        })),
      ),
      {
        cluster: 'mainnet',
        isSecondary: true,
        addresses: { rpc: { url: 'https://solana-api.syndica.io/access-token/{key}/rpc' } },
      },
    ],
    notes: ['Paste the HTTPS URL. The WebSocket is at the same address.'],
  },
  {
    id: 'blockdaemon',
    name: 'Blockdaemon',
    forms: (['mainnet', 'devnet', 'testnet'] as const).map((cluster) => ({
      cluster,
      addresses: { rpc: { url: `https://svc.blockdaemon.com/solana/${cluster}/native?apiKey={key}` } },
    })),
    notes: [
      'Paste the endpoint. The key also works as Bearer: take `{key}` out of the URL and set `auth.rpc` to `bearer`.',
    ],
  },
  {
    id: 'public',
    name: 'Public clusters',
    forms: (
      [
        ['mainnet', 'mainnet'],
        ['mainnet', 'mainnet-beta'],
        ['devnet', 'devnet'],
        ['testnet', 'testnet'],
      ] as const
    ).map(([cluster, net]) => ({
      cluster,
      ...(net === 'mainnet-beta' && { isSecondary: true as const }),
      addresses: web(`api.${net}.solana.com/`, 'none'),
    })),
    notes: ['Need no key and are limited by IP address. No gRPC.'],
  },
  {
    id: 'validator',
    name: 'Your own validator',
    forms: [
      {
        addresses: {
          rpc: { url: 'https://{host}:8899/', auth: 'none' },
          ws: { url: 'wss://{host}:8900/', auth: 'none' },
        },
        knownBy: ['rpc'],
      },
    ],
    notes: ['`localhost:8899`, or the address of a machine of your network: the WebSocket is at the next port.'],
  },
];

export const PROVIDERS: readonly Provider[] = [
  {
    id: 'hosted',
    name: 'The hosted service',
    forms: [
      {
        addresses: {
          rpc: { url: 'https://{host}/sol', auth: 'bearer' },
          ws: { url: 'wss://{host}/ws/sol', auth: 'bearer' },
          grpc: { url: 'https://{host}', auth: 'bearer' },
          rest: { url: 'https://{host}', auth: 'bearer' },
        },
        knownBy: ['rpc', 'ws'],
      },
    ],
    notes: [
      'Paste the RPC or WebSocket address (`/sol`, `/ws/sol`). gRPC and usage are expected at the same host: change `grpcUrl` and `restUrl` where yours are elsewhere.',
      'Each interface has a type of key: RPC, gRPC and SWQoS. Keys travel as Bearer; a SWQoS key is sent together with the RPC key.',
    ],
  },
  ...RPC_PROVIDERS,
  ...SENDERS,
];
