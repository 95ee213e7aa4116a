// The wallets of the terminal: that of `--local`, and keypair files that the user named with `--wallet` or in the user-level
// configuration. A project names none, and its endpoints use none. Asks before a signature, except with the wallet of an
// endpoint on this machine.
import os from 'node:os';
import path from 'node:path';
import { failed, invalidRequest, ok, type Result, type ServiceError } from '../../core/service/errors';
import { FILE_BYTES } from '../../core/service/fileKinds';
import { isLoopback } from '../../core/service/profiles/origin';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { Secret } from '../../core/service/keys/secret';
import { signingQuestion } from '../../core/requests/transaction/signing';
import type { Programs } from '../../core/solana/decode/decoded';
import { withBlockhash } from '../../core/solana/wire/messageWriter';
import { shownHost } from '../../net/target/target';
import { fileRefused, readRegularText } from '../../process/files';
import type { RunPorts, WalletName, WalletPort } from '../../runner/ports';
import { UsageError } from '../exit';
import type { Given } from '../options';
import { escapeLine } from '../terminal';
import { readKeypair, signWith } from './secrets';

export interface Wallet {
  readonly address: string;
  readonly secretKey: Secret;
}

/** `~/…` below the home folder. */
const atHome = (file: string): string => (file.startsWith('~/') ? path.join(os.homedir(), file.slice(2)) : file);

/** The files of `--wallet NAME=FILE`, over those of the user's own configuration. Throws UsageError. */
export function walletFiles(given: Given, configured: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const files = new Map([...configured].map(([name, file]) => [name, atHome(file)] as const));
  for (const text of given.list('wallet')) {
    const at = text.indexOf('=');
    const [name, file] = [text.slice(0, at), text.slice(at + 1)];
    if (at < 1 || file === '')
      throw new UsageError('--wallet takes NAME=FILE: a name, and the path of a keypair file.');
    files.set(name, path.resolve(atHome(file)));
  }
  return files;
}

export interface WalletWorld {
  /** The profile of that name; undefined asks for the active one. */
  readonly find: (name: string | undefined) => PlacedProfile | undefined;
  readonly localWallet: Wallet | undefined;
  /** Keypair files that the user named, by the name of an endpoint or any other. */
  readonly wallets: ReadonlyMap<string, string>;
  /** Every question is answered with yes; what is signed is then printed. */
  readonly yes: boolean;
  /** Of the whole run: ends questions that are open. */
  readonly signal: AbortSignal;
}

interface WalletOptions extends WalletWorld {
  readonly programs: () => Promise<Programs>;
  readonly confirm: RunPorts['confirm'];
  /** Why there is no endpoint of this name. */
  readonly missing: (endpoint: string | undefined) => ServiceError;
}

const invalid = (message: string, hint: string): Result<never> => failed(invalidRequest(message, hint));

/** Which wallet is meant: the one of `--local`, or a keypair file by its name. */
type Meant = { readonly kind: 'local'; readonly wallet: Wallet } | { readonly kind: 'file'; readonly name: string };

export function walletPort(options: WalletOptions): WalletPort {
  const { find, localWallet, wallets, programs, yes, confirm, signal } = options;
  const loaded = new Map<string, Promise<Result<Wallet>>>();
  const meant = (endpoint: string | undefined, name: WalletName): Result<Meant> => {
    const placed = find(endpoint);
    if (placed === undefined) return failed(options.missing(endpoint));
    if (name === undefined && placed.source === 'local' && localWallet !== undefined)
      return ok({ kind: 'local', wallet: localWallet });
    const wanted = name ?? placed.profile.name;
    if (wallets.has(wanted) && placed.source !== 'workspace') return ok({ kind: 'file', name: wanted });
    return name === undefined ? noneOfEndpoint(placed.profile.name) : noneOfName(name, placed);
  };
  const walletOf = async (one: Meant): Promise<Result<Wallet>> => {
    if (one.kind === 'local') return ok(one.wallet);
    const known = loaded.get(one.name) ?? readWallet(one.name, wallets.get(one.name) ?? '');
    loaded.set(one.name, known);
    return known;
  };
  const loadedWallet = async (endpoint: string | undefined, name: WalletName): Promise<Result<Wallet>> => {
    const one = meant(endpoint, name);
    return one.ok ? walletOf(one.value) : one;
  };
  return {
    async address(endpoint, name) {
      const wallet = await loadedWallet(endpoint, name);
      return wallet.ok ? ok(wallet.value.address) : wallet;
    },
    identity(endpoint, name) {
      const one = meant(endpoint, name);
      if (!one.ok) return Promise.resolve('');
      return Promise.resolve(
        one.value.kind === 'local' ? one.value.wallet.address : (wallets.get(one.value.name) ?? ''),
      );
    },
    async sign(endpoint, draft, names) {
      const signing: { readonly name: WalletName; readonly wallet: Wallet }[] = [];
      for (const name of names) {
        const wallet = await loadedWallet(endpoint, name);
        if (!wallet.ok) return wallet;
        signing.push({ name, wallet: wallet.value });
      }
      const url = find(endpoint)?.profile.rpcUrl;
      const place = url === undefined ? undefined : new URL(url);
      const byName = signing.flatMap(({ name, wallet }) =>
        name === undefined ? [] : [{ name: escapeLine(name, 80), address: wallet.address }],
      );
      if (byName.length > 0 || place === undefined || !isLoopback(place)) {
        const host = place === undefined ? 'this endpoint' : shownHost(place);
        const question = signingQuestion({ message: draft, programs: await programs(), host, wallets: byName });
        const lines = question.slice(0, -1).map((line) => `${escapeLine(line)}\n`);
        if (yes) process.stderr.write(`Signed for ${host}:\n${lines.join('')}`);
        if (!(await confirm(question.join('\n'), signal))) {
          return failed({
            kind: 'confirmation',
            message: 'The transaction was not signed.',
            hint: 'Confirm, or use --yes.',
          });
        }
      }
      return ok((blockhash) => {
        const message = withBlockhash(draft, blockhash);
        const signatures: Uint8Array[] = [];
        for (const { wallet } of signing) {
          const signature = signWith(wallet.secretKey, message);
          if (signature === undefined) return invalid('The wallet has no usable key.', 'Make a new one.');
          signatures.push(signature);
        }
        return ok({ message, signatures });
      });
    },
  };
}

const noneOfEndpoint = (endpoint: string): Result<never> =>
  invalid(
    `There is no wallet for the endpoint "${escapeLine(endpoint, 80)}".`,
    'Use --local, or name a keypair file: --wallet ENDPOINT=FILE, or "wallets" in your own configuration.',
  );

function noneOfName(name: string, { source, profile }: PlacedProfile): Result<never> {
  const shown = escapeLine(name, 80);
  return source === 'workspace'
    ? invalid(
        `No wallet signs for "${escapeLine(profile.name, 80)}": it is an endpoint of the project.`,
        'Name the endpoint on the command line or in your own configuration.',
      )
    : invalid(
        `There is no wallet "${shown}".`,
        `Name its keypair file: --wallet ${shown}=FILE, or "wallets" in your own configuration.`,
      );
}

/** Neither the path nor anything out of the file is in what is said. */
async function readWallet(name: string, file: string): Promise<Result<Wallet>> {
  const shown = escapeLine(name, 80);
  let text: string;
  try {
    text = await readRegularText(file, FILE_BYTES.keypair);
  } catch (error) {
    return invalid(`The keypair file of the wallet "${shown}" ${fileRefused(error, 'read').message}.`, CORRECT);
  }
  const wallet = readKeypair(text);
  return wallet === undefined
    ? invalid(
        `The keypair file of the wallet "${shown}" is not a keypair: 64 numbers, the secret and its public key.`,
        CORRECT,
      )
    : ok(wallet);
}

const CORRECT = 'Correct --wallet or "wallets" in your own configuration.';
