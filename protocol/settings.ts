// Our settings as tables. The types of their values, the client's readers, the server's share with its defaults, and the
// settings in package.json and package.nls.json derive from them (`npm run docs`).
import { GRPC_COMPRESSIONS } from '../core/service/profiles/profile';

/** A JSON schema, with what a member means for people. */
export interface SettingSchema {
  readonly type: 'array' | 'boolean' | 'number' | 'object' | 'string';
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: SettingSchema;
  readonly uniqueItems?: true;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly additionalProperties?: SettingSchema | false;
  readonly text?: string;
}

export interface Setting extends SettingSchema {
  /** `application`: the user's own; no workspace has a value for it. */
  readonly scope: 'application' | 'window';
  /** It reaches the network or reads a file: a workspace that is not trusted has no value for it. */
  readonly isRestricted?: true;
  readonly default: unknown;
  /** The values it may have, each with its meaning. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Its place in the editor's list; settings of one place are sorted by name. */
  readonly order: number;
  /** Markdown. */
  readonly text: string;
}

/** Settings whose values the client sends to the server, by the same names. */
export const SERVER_SETTINGS = {
  allowedEnvironment: {
    scope: 'application',
    isRestricted: true,
    type: 'array',
    items: { type: 'string' },
    default: [],
    order: 2,
    text: 'Environment variables that requests may send to any host with `{{$processEnv NAME}}`, and whose answers they may save. Any other name goes only to this machine, or after a question. `SOLANA_*_KEY` is never read.',
  },
  'response.inlineSize': {
    scope: 'window',
    type: 'number',
    default: 8,
    minimum: 0.1,
    maximum: 32,
    order: 3,
    text: 'Responses above this many megabytes are kept in a file; the document shows their head.',
  },
  'limits.respectPlan': {
    scope: 'window',
    isRestricted: true,
    type: 'boolean',
    default: true,
    order: 4,
    text: 'Wait rather than exceed the rate limits of the plan that the endpoint profile names.',
  },
  'inlayHints.lamports': {
    scope: 'window',
    type: 'boolean',
    default: true,
    order: 5,
    text: 'Show amounts in SOL next to lamports.',
  },
  'inlayHints.units': {
    scope: 'window',
    type: 'boolean',
    default: true,
    order: 5,
    text: 'Explain slots, times and compute units next to them: an age, a date, a share of the budget.',
  },
  'inlayHints.addresses': {
    scope: 'window',
    type: 'boolean',
    default: true,
    order: 6,
    text: 'Show the names of known addresses next to them.',
  },
  'inlayHints.defaults': {
    scope: 'window',
    type: 'boolean',
    default: false,
    order: 7,
    text: 'Show the defaults of options that are left out of a request.',
  },
} as const satisfies Readonly<Record<string, Setting>>;

const AUTH = { type: 'string', pattern: '^(none|bearer|basic|query|query:[A-Za-z0-9._~-]+|header:.+|path)$' } as const;

/** Settings that the client uses itself. Product code imports their types alone, which keeps their texts out of its bundles. */
export const CLIENT_SETTINGS = {
  endpoints: {
    scope: 'application',
    isRestricted: true,
    type: 'array',
    default: [],
    items: {
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', minLength: 1, text: 'The name that files and views show.' },
        rpcUrl: {
          type: 'string',
          text: 'JSON-RPC over HTTPS; complete, used as it is, with {key} where a key goes into it.',
        },
        wsUrl: { type: 'string', text: 'WebSocket; complete, used as it is, with {key} where a key goes into it.' },
        grpcUrl: { type: 'string', text: 'gRPC streaming.' },
        restUrl: { type: 'string', text: 'Base of /v1/usage.' },
        swqosUrl: { type: 'string', text: 'Where SWQOS lines send transactions; without it they go to rpcUrl.' },
        dashboardUrl: { type: 'string', text: 'Where keys are created and rotated.' },
        plan: {
          type: 'string',
          enum: ['Free', 'Dev', 'Pro', 'Ultra', 'Shared Metal'],
          text: 'The plan, for its rate limits.',
        },
        packs: {
          type: 'array',
          items: { type: 'string' },
          text: 'Method packs that this endpoint serves, such as das or helius.',
        },
        grpcCompression: {
          type: 'string',
          enum: GRPC_COMPRESSIONS,
          default: 'none',
          text: 'How the messages of gRPC streams may be compressed: none (the default), gzip or zstd. Less traffic, more work for each message.',
        },
        variables: { type: 'object', text: 'Variables that files can use with this endpoint.' },
        auth: {
          type: 'object',
          additionalProperties: false,
          text: 'How keys travel, per interface: none, bearer, basic (the key is USER:PASSWORD), query, query:NAME, header:NAME, or path (the URL says {key}). Any other form is an error.',
          properties: { rpc: AUTH, ws: AUTH, grpc: AUTH, rest: AUTH, swqos: AUTH },
        },
      },
    },
    order: 1,
    text: 'Your endpoint profiles. Keys do not belong here: add them in the *Endpoints* view. A project can define profiles in `solana-rpc.json`; they get no key unless you add one for their host.',
  },
  endpoint: {
    scope: 'window',
    isRestricted: true,
    type: 'string',
    default: '',
    order: 2,
    text: 'Name of the active endpoint profile. Choosing another one in a window never writes this setting. If no profile has this name, none is active. A block or a file chooses another one with `# @endpoint NAME`.',
  },
  wallets: {
    scope: 'application',
    isRestricted: true,
    type: 'object',
    additionalProperties: { type: 'string' },
    default: {},
    order: 2,
    text: 'Keypair files of throw-away wallets, by the name of an endpoint or of a wallet that a request names: `{ "devnet": "~/.config/solana/id.json", "sponsor": "/keys/sponsor.json" }`. A file is read for a request that you send, and you are asked before it signs; on this machine the wallet of the endpoint itself signs without a question. Only your own settings count.',
  },
  'response.openIn': {
    scope: 'window',
    type: 'string',
    choices: {
      beside: 'Next to the request, in the existing column if there is one.',
      below: 'Below the request.',
      group: 'In one editor group reserved for responses, wherever you move it.',
      active: 'In the group of the request, as a tab in front of it.',
    },
    default: 'beside',
    order: 3,
    text: 'Where responses open. They never cover a request or a live stream: if every other column shows one, that column is split.',
  },
  explorer: {
    scope: 'application',
    type: 'string',
    default: 'https://explorer.solana.com/{kind}/{value}?cluster={cluster}',
    order: 3,
    text: 'Where addresses and signatures in a response link to: an `https` URL in which `{kind}` is `tx` or `address`, `{value}` what it is and `{cluster}` is `mainnet-beta`, `devnet` or `testnet`, by the genesis hash that the endpoint answered (*Check Endpoint*, or `getGenesisHash`). A ledger of this machine or of a private network is linked only if the URL says where it is, with `{rpcUrl}`: `https://explorer.solana.com/{kind}/{value}?cluster=custom&customUrl={rpcUrl}`. Empty: no links.',
  },
  schemas: {
    scope: 'window',
    isRestricted: true,
    type: 'array',
    items: { type: 'string' },
    default: [],
    order: 8,
    text: 'OpenRPC documents of the workspace that add methods, as paths from its first folder: `["das.openrpc.json"]`. Their methods get completion, hover and checks like any other. A `schemas` list in `solana-rpc.json` does the same for everybody, the terminal included.',
  },
  packs: {
    scope: 'window',
    type: 'array',
    items: { type: 'string', enum: ['das', 'photon', 'helius', 'jito', 'quicknode', 'triton'] },
    uniqueItems: true,
    default: [],
    order: 8,
    text: 'Method packs that completion offers and that are used without a hint: methods of providers such as `das` or `helius`. In a file, `# @pack helius` before the first `###` does the same; for the whole project, `packs` in `solana-rpc.json`.',
  },
  idls: {
    scope: 'window',
    isRestricted: true,
    type: 'array',
    items: { type: 'string' },
    default: ['target/idl/*.json', 'idl/*.json'],
    order: 9,
    text: 'IDLs (of Anchor, or Codama documents) that decode the accounts, instructions and events of your programs, as paths in each folder of the workspace: a file, or all JSON files of a folder (`idl/*.json`). An IDL that does not name its program is named after it: `PROGRAM_ID.json`.',
  },
  /** Read by vscode-languageclient, by the id of the client. */
  'trace.server': {
    scope: 'window',
    type: 'string',
    enum: ['off', 'messages', 'verbose'],
    default: 'off',
    order: 10,
    text: 'How much of the traffic with the language server is logged when the log level is *Trace*. It never contains keys.',
  },
} as const satisfies Readonly<Record<string, Setting>>;

type Rows = typeof SERVER_SETTINGS & typeof CLIENT_SETTINGS;
type ValueOf<S extends Setting> = S extends { readonly choices: infer C }
  ? keyof C & string
  : { array: readonly unknown[]; boolean: boolean; number: number; object: object; string: string }[S['type']];

export type SettingName = keyof Rows;
/** The user's own settings: no workspace has a value for them. */
export type OwnSettingName = { [N in SettingName]: Rows[N]['scope'] extends 'application' ? N : never }[SettingName];
/** Settings that a workspace may set. */
export type WindowSettingName = Exclude<SettingName, OwnSettingName>;
export type SettingValues = { readonly [N in SettingName]: ValueOf<Rows[N]> };
export type ServerSettings = Pick<SettingValues, keyof typeof SERVER_SETTINGS>;

/** For editors without our client, and until our client has sent its own. */
export const DEFAULT_SETTINGS = Object.fromEntries(
  Object.entries(SERVER_SETTINGS).map(([name, setting]) => [name, setting.default]),
) as unknown as ServerSettings;
