// Runs requests for the tools: on the local service, started on first use, and on the endpoints that the user allowed by name.
// Reaches nothing else, saves no response, and asks nobody.
import { failed, type Result, type ServiceError } from '../../core/service/errors';
import { originOf } from '../../core/service/profiles/origin';
import { URL_OF, variablesOf, type PlacedProfile } from '../../core/service/profiles/profile';
import type { Secret } from '../../core/service/keys/secret';
import { Chains } from '../../core/requests/run/chains';
import { sendsTransaction } from '../../core/requests/run/sends';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { Selection } from '../../core/requests/run/plan';
import { run, type RunOutcome } from '../../runner/run';
import type { RunPorts } from '../../runner/ports';
import type { KeyPort, Net } from '../../net/api';
import type { Endpoints } from '../session/endpoints';
import type { Loaded } from '../session/files';
import { Bodies } from '../session/bodies';
import { keyPort, type KeysByType } from '../session/keys';
import { startForRun, type Local } from '../session/local';
import { openNet } from '../session/network';
import { createPorts, place } from '../session/ports';
import { redactorOf } from '../session/secrets';
import { ToolError } from './answer';

/** The endpoints and actions that the user allowed when starting the server. */
export interface Allowed {
  readonly profiles: ReadonlyMap<string, PlacedProfile>;
  /** Whether transactions may be sent to them. */
  readonly send: boolean;
}

export interface HostOptions {
  readonly allowed: Allowed;
  readonly keys: KeysByType;
  readonly endpoints: Endpoints;
  readonly timeoutMs: number;
  readonly folder: string;
  /** Of the whole session. */
  readonly signal: AbortSignal;
}

export interface WantedRun {
  readonly loaded: Loaded;
  /** Undefined: the local service. */
  readonly endpoint: string | undefined;
  readonly selection: Selection;
  readonly signal: AbortSignal;
}

export const LOCAL = 'local';

const refused = (message: string, hint: string): ServiceError => ({ kind: 'confirmation', message, hint });

export class ToolHost {
  /** Of all runs of the session. */
  readonly #chains = new Chains();
  #local: Promise<Local> | undefined;
  #running: Local | undefined;
  #net: Promise<Net> | undefined;
  #redact: (text: string) => string;

  constructor(private readonly options: HostOptions) {
    this.#redact = redactorOf([...options.keys.values()]);
  }

  get folder(): string {
    return this.options.folder;
  }

  /** The variables of `--env`. */
  get environment(): Endpoints['environment'] {
    return this.options.endpoints.environment;
  }

  /** Takes every key out of a text that is known here: the user's, and those of the local service. */
  redact(text: string): string {
    return this.#redact(text);
  }

  /** Names, hosts, and whether transactions go there. */
  endpoints(): readonly { readonly name: string; readonly host: string; readonly maySend: boolean }[] {
    const { allowed } = this.options;
    return [
      { name: LOCAL, host: 'this machine', maySend: true },
      ...[...allowed.profiles].map(([name, { profile }]) => ({
        name,
        host: URL.canParse(profile.rpcUrl ?? '') ? new URL(profile.rpcUrl ?? '').host : '',
        maySend: allowed.send,
      })),
    ];
  }

  /** Throws ToolError if the user did not allow the endpoint, or if the local service does not start. */
  async run({ loaded, endpoint = LOCAL, selection, signal }: WantedRun): Promise<RunOutcome> {
    const { allowed, timeoutMs } = this.options;
    if (endpoint !== LOCAL && !allowed.profiles.has(endpoint)) throw new ToolError(notAllowed(this.#names()));
    const both = AbortSignal.any([signal, this.options.signal]);
    const local = endpoint === LOCAL ? await this.#service() : this.#running;
    const find = (name: string | undefined): PlacedProfile | undefined =>
      (name ?? endpoint) === LOCAL ? local?.profile : allowed.profiles.get(name ?? endpoint);
    const bodies = new Bodies();
    try {
      const ports = await this.#ports(find, bodies, both);
      const active = find(undefined);
      return await run(
        {
          ...loaded,
          selection,
          variables: new Map(),
          ...(this.environment !== undefined && { environment: this.environment }),
          profileVariables: (name) => variablesOf(find(name)),
          endpoint: active?.profile.name ?? '',
          defaultTimeoutMs: timeoutMs,
          defaultUntil: { ms: 10_000 },
          bail: false,
        },
        ports,
        both,
      );
    } finally {
      bodies.remove();
    }
  }

  /** Ends the connections and the local service. */
  async close(): Promise<void> {
    await (await this.#net)?.close();
    await (await this.#local?.catch(() => undefined))?.stop();
  }

  #names(): readonly string[] {
    return this.endpoints().map(({ name }) => name);
  }

  async #ports(
    find: (name: string | undefined) => PlacedProfile | undefined,
    bodies: Bodies,
    signal: AbortSignal,
  ): Promise<RunPorts> {
    const { options } = this;
    const { allowed, folder, endpoints } = options;
    const known = [...(this.#running === undefined ? [] : [this.#running.profile]), ...allowed.profiles.values()];
    const ports = createPorts({
      net: await (this.#net ??= openNet(this.#keys())),
      find,
      known,
      workspace: folder,
      spillFile: () => bodies.file(),
      // No variable of the environment goes into a request here.
      environment: {},
      extraEnvironment: new Map(),
      allowedEnvironment: new Set(),
      yes: false,
      confirm: () => Promise.resolve(false),
      localWallet: this.#running?.ready.wallet,
      wallets: allowed.send ? endpoints.wallets : new Map(),
      onProgress: () => undefined,
      chains: this.#chains,
      signal,
    });
    const refusal = (request: PreparedRequest): ServiceError | undefined => this.#refusal(request, find, known);
    const guarded =
      <T, Rest extends readonly unknown[]>(send: (request: PreparedRequest, ...rest: Rest) => Promise<Result<T>>) =>
      async (request: PreparedRequest, ...rest: Rest): Promise<Result<T>> => {
        const error = refusal(request);
        return error === undefined ? send(request, ...rest) : failed(error);
      };
    const { stream } = ports;
    const noSave = refused('No tool saves a response to a file.', 'Leave out the lines that begin with >>.');
    return {
      ...ports,
      send: guarded(ports.send.bind(ports)),
      look: guarded(ports.look.bind(ports)),
      ...(stream !== undefined && { stream: { openStream: guarded(stream.openStream.bind(stream)) } }),
      files: {
        ...ports.files,
        mayWrite: () => Promise.resolve(failed(noSave)),
        write: () => Promise.resolve(failed(noSave)),
      },
      prompt: () => Promise.resolve(undefined),
    };
  }

  /** Why a request does not leave: its place is not allowed, or it would send a transaction there. */
  #refusal(
    request: PreparedRequest,
    find: (name: string | undefined) => PlacedProfile | undefined,
    known: readonly PlacedProfile[],
  ): ServiceError | undefined {
    const { allowed } = this.options;
    if (request.endpoint !== undefined && find(request.endpoint) === undefined)
      return refused(notAllowed(this.#names()), HOW);
    const target = place(request, { find, known });
    // The failure is the same when it is sent.
    if (!target.ok) return undefined;
    const { origin } = target.value;
    if (this.#running?.origins.has(origin) === true) return undefined;
    const origins = [...allowed.profiles.values()].flatMap(({ profile }) =>
      Object.values(URL_OF).flatMap((member) => originOf(profile[member] ?? '') ?? []),
    );
    if (!origins.includes(origin)) return refused('The user did not allow requests to this host.', HOW);
    if (sendsTransaction(request) && !allowed.send)
      return refused(
        'The user did not allow transactions to be sent off this machine.',
        'Simulate it, send it to the local service, or ask the user to start the server with --allow-send.',
      );
    return undefined;
  }

  /** The local service's keys for its own origins, the user's for theirs. */
  #keys(): KeyPort {
    const { keys, endpoints } = this.options;
    const own = keyPort(keys, endpoints.keyOrigins);
    return {
      key: async (query, signal) => {
        const local = this.#running;
        const isLocal = local?.origins.has(query.origin) === true;
        return isLocal ? keyPort(local.keys, local.origins).key(query, signal) : own.key(query, signal);
      },
    };
  }

  /** One service for the whole session; a failed start is retried. */
  async #service(): Promise<Local> {
    this.#local ??= startForRun(this.options.signal);
    try {
      const local = await this.#local;
      this.#running = local;
      const { wallet, adminToken } = local.ready;
      const all: readonly Secret[] = [
        ...this.options.keys.values(),
        ...local.keys.values(),
        wallet.secretKey,
        adminToken,
      ];
      this.#redact = redactorOf(all);
      return local;
    } catch (error) {
      this.#local = undefined;
      throw error;
    }
  }
}

const HOW = 'The user allows an endpoint by starting the server with --allow-endpoint NAME.';

const notAllowed = (names: readonly string[]): string =>
  `There is no endpoint of that name, or the user did not allow it. Endpoints: ${names.join(', ')}. ${HOW}`;
