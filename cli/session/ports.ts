// The world of a run in a terminal: every transport through net, files below the working directory,
// questions on a terminal only.
import { createInterface } from 'node:readline/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { failed, invalidRequest, ok, type Result, type ServiceError } from '../../core/service/errors';
import { isLoopback } from '../../core/service/profiles/origin';
import type { Chains } from '../../core/requests/run/chains';
import { profileFor, settle, shownHost, urlIn } from '../../net/target/target';
import { createFilePort, type OpenText } from './files';
import { loadIdls } from './idls';
import { isKeyVariable } from '../../core/service/keys/keyNames';
import { walletPort, type WalletWorld } from './wallets';
import { faultText } from '../refusal';
import { escapeLine } from '../terminal';
import type { Programs } from '../../core/solana/decode/decoded';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { Exchange } from '../../core/requests/run/model';
import type { Net, SendTarget } from '../../net/api';
import type { Destined, EnvironmentPort, RunPorts, RunProgress } from '../../runner/ports';
import { RANDOM } from '../../runner/random';

export interface PortOptions extends WalletWorld {
  readonly net: Net;
  /** Every profile, for requests with a URL on their line. */
  readonly known: readonly PlacedProfile[];
  readonly workspace: string;
  /** Where a response goes that is too large to hold. */
  readonly spillFile: () => string;
  readonly environment: NodeJS.ProcessEnv;
  /** Variables of `--env-file`, which requests may also read with `$processEnv`. */
  readonly extraEnvironment: ReadonlyMap<string, string>;
  /** Names of `--allow-env`: requests may carry them to any host. */
  readonly allowedEnvironment: ReadonlySet<string>;
  /** Asks elsewhere than on the terminal. */
  readonly confirm?: RunPorts['confirm'];
  /** Texts that an editor has open. */
  readonly openText?: OpenText;
  readonly onProgress: (event: RunProgress) => void;
  /** The known chains of endpoints; the run adds to it. */
  readonly chains: Chains;
}

export function createPorts(options: PortOptions): RunPorts {
  const { net, yes, onProgress, spillFile, chains } = options;
  let idls: Promise<Programs> | undefined;
  const programs = (): Promise<Programs> => (idls ??= loadIdls(options.workspace));
  const confirm = (question: string, signal: AbortSignal): Promise<boolean> =>
    yes ? Promise.resolve(true) : (options.confirm ?? askYes)(question, signal);
  const send: RunPorts['send'] = async (request, signal, inlineBytes) => {
    const target = place(request, options);
    if (!target.ok) return target;
    const { block } = request;
    const answer = await net.call(target.value, request, {
      signal,
      spillFile,
      ...(inlineBytes !== undefined && { inlineBytes }),
      ...(block !== undefined && {
        onBytes: (bytes, total) =>
          onProgress({ kind: 'receiving', line: block.line, bytes, ...(total !== undefined && { total }) }),
      }),
    });
    if (answer.ok) return answer.value.error === undefined ? answer : ok(withLookUp(answer.value, answer.value.error));
    return failed(lookUpOf(answer.error));
  };
  return {
    send,
    look: send,
    urlOf: (request) => urlIn(place(request, options)),
    stream: {
      async openStream(request, signal) {
        const target = place(request, options);
        return target.ok ? net.open(target.value, request, { signal }) : target;
      },
    },
    files: createFilePort(options.workspace, options.openText),
    clock: {
      now: () => Math.round(performance.now()),
      unixSeconds: () => Math.floor(Date.now() / 1000),
      sleep: (ms, signal) => delay(ms, undefined, { signal }),
    },
    wallet: walletPort({ ...options, programs, confirm, missing }),
    programs,
    chain: (endpoint) => chains.age(options.find(endpoint)?.profile.name ?? ''),
    random: RANDOM,
    environment: environmentPort(options),
    prompt: (_name, label, signal) =>
      isInteractive() ? ask(`${escapeLine(label)}: `, signal) : Promise.resolve(undefined),
    confirm,
    onProgress(event) {
      if (event.kind === 'done' && event.isElsewhere !== true) chains.learn(event.report, Date.now());
      onProgress(event);
    },
    onFault: (thrown) => void process.stderr.write(faultText(thrown)),
  };
}

/** Variables from `--env-file` may go anywhere, as with `{{NAME}}`; any other name only if `--allow-env` allows it. */
function environmentPort(options: PortOptions): EnvironmentPort {
  const { environment, extraEnvironment, allowedEnvironment } = options;
  const value = (name: string): string | undefined => extraEnvironment.get(name) ?? environment[name];
  const keys = new Set(
    Object.keys(environment).flatMap((name) => (/^SOLANA_\w*KEY$/i.test(name) ? [environment[name]] : [])),
  );
  return {
    value,
    refusal(name) {
      if (isKeyVariable(name)) return `${name} is for a key, which no request reads: keys go where endpoints say.`;
      const text = value(name);
      return text !== undefined && text !== '' && keys.has(text)
        ? `${name} has the value of a key, which no request reads: keys go where endpoints say.`
        : undefined;
    },
    isAllowed: (name) => allowedEnvironment.has(name) || extraEnvironment.has(name),
    sentHere: new Set(),
    destination(request) {
      const target = place(request, options);
      if (!target.ok) return undefined;
      return { host: shownHost(target.value.url), isHere: isLoopback(target.value.url) };
    },
    hint: (name) => `Allow it with --allow-env ${name}.`,
  };
}

const withLookUp = (exchange: Exchange, error: ServiceError): Exchange => ({ ...exchange, error: lookUpOf(error) });

/** For a send whose answer was lost: the command that shows what became of it. */
const lookUpOf = (error: ServiceError): ServiceError =>
  error.kind === 'ambiguous' && error.signature !== undefined
    ? { ...error, hint: `Before you send again, look it up: solana-rpc watch ${error.signature}` }
    : error;

const NAME_ONE = 'Give --rpc-url URL, --endpoint NAME or --local, or write a URL on the request line.';

/** Where a request goes, by the profile it names or the active one. */
export function place(request: Destined, { find, known }: Pick<PortOptions, 'find' | 'known'>): Result<SendTarget> {
  const named = find(request.endpoint);
  const url = request.url ?? request.sentTo;
  const isNowhere = named === undefined && (request.endpoint !== undefined || url === undefined);
  return isNowhere ? failed(missing(request.endpoint)) : settle(profileFor(named, request, known), request);
}

/** Why there is no endpoint of this name, or none at all. */
function missing(endpoint: string | undefined): ServiceError {
  if (endpoint === undefined) return invalidRequest('No endpoint is chosen.', NAME_ONE);
  const message = `There is no endpoint "${escapeLine(endpoint, 80)}".`;
  return invalidRequest(message, 'Name it in solana-rpc.json or in your own configuration.');
}

const isInteractive = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** The question that is open; with --jobs several files may ask, and the terminal is one. */
let open: Promise<unknown> = Promise.resolve();

/** One question after the other. Undefined when it was cancelled, or its terminal closed. */
function ask(question: string, signal: AbortSignal): Promise<string | undefined> {
  const asked = open.then(() => askNow(question, signal));
  open = asked;
  return asked;
}

async function askNow(question: string, signal: AbortSignal): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // While it asks, the terminal reads Ctrl+C itself; passed on, it cancels the run as everywhere else.
  terminal.on('SIGINT', () => process.emit('SIGINT', 'SIGINT'));
  const closed = new Promise<undefined>((resolve) => {
    terminal.once('close', () => {
      resolve(undefined);
    });
  });
  try {
    return await Promise.race([terminal.question(question, { signal }), closed]);
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
}

async function askYes(question: string, signal: AbortSignal): Promise<boolean> {
  if (!isInteractive()) return false;
  const lines = question.split('\n').map((line) => escapeLine(line));
  const answer = await ask(`${lines.join('\n')} [y/N] `, signal);
  return /^y(?:es)?$/i.test(answer?.trim() ?? '');
}
