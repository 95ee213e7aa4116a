// The wallets of the editor: that of the local service, and keypair files that the user's own settings name. A project names
// none, and its endpoints use none. Keys are asked for per use. Asks before a signature, except with the wallet of an
// endpoint on this machine.
import { failed, invalidRequest, ok, type Result, type ServiceError } from '../../core/service/errors';
import { isLoopback } from '../../core/service/profiles/origin';
import { signingQuestion } from '../../core/requests/transaction/signing';
import type { Programs } from '../../core/solana/decode/decoded';
import { encodeBase58 } from '../../core/solana/encoding/base58';
import { withBlockhash } from '../../core/solana/wire/messageWriter';
import { SEED, signEd25519 } from '../../process/ed25519';
import type { WalletName, WalletPort } from '../../runner/ports';
import type { Keys } from '../keys/keys';
import { profileNamed } from '../profiles';
import type { Window } from '../window';

export interface WalletDeps {
  readonly window: Window;
  readonly keys: Keys;
  /** The programs that are known at an endpoint. */
  readonly programs: (endpoint: string | undefined) => Promise<Programs>;
  /** Whether the user agrees to sign the shown transaction. */
  readonly askSignature: (question: string) => Promise<boolean>;
}

/** `local`: of the local service; `file`: of a keypair file, by its name. */
interface Meant {
  readonly kind: 'local' | 'file';
  readonly name: string;
}

export function createWallet({ window, keys, programs, askSignature }: WalletDeps, signal: AbortSignal): WalletPort {
  const meant = (endpoint: string | undefined, name: WalletName): Result<Meant> => {
    const placed = profileNamed(window, endpoint);
    if (placed === undefined) return failed(NONE);
    const { profile, source } = placed;
    const wanted = name ?? profile.name;
    const isOfService = name === undefined && source === 'local';
    const isNamed = window.state.wallets?.includes(wanted) === true;
    if (isNamed && !isOfService && source !== 'workspace') return ok({ kind: 'file', name: wanted });
    // Whether the service's wallet is that of the endpoint is the broker's to say.
    if (name === undefined) return placeOf(profile.rpcUrl).isHere ? ok({ kind: 'local', name: wanted }) : failed(NONE);
    return failed(source === 'workspace' ? ofProject(profile.name) : unnamed(name));
  };
  const bytesOf = async (endpoint: string | undefined, name: WalletName): Promise<Result<Uint8Array>> => {
    const one = meant(endpoint, name);
    if (!one.ok) return one;
    if (one.value.kind === 'local') {
      const bytes = await keys.wallet(one.value.name, signal);
      return bytes?.length === 2 * SEED ? ok(bytes) : failed(NONE);
    }
    const bytes = await keys.keypair(one.value.name, signal);
    if (bytes === 'none') return failed(unnamed(one.value.name));
    return bytes === 'unreadable' ? failed(unreadable(one.value.name)) : ok(bytes);
  };
  const address = async (endpoint: string | undefined, name?: WalletName): Promise<Result<string>> => {
    const bytes = await bytesOf(endpoint, name);
    return bytes.ok ? ok(encodeBase58(bytes.value.subarray(SEED))) : bytes;
  };
  return {
    address,
    async identity(endpoint, name) {
      const one = meant(endpoint, name);
      if (!one.ok) return '';
      if (one.value.kind === 'file') return `file ${one.value.name}`;
      const local = await address(endpoint);
      return local.ok ? local.value : '';
    },
    async sign(endpoint, draft, names) {
      const signing: { readonly name: WalletName; readonly bytes: Uint8Array }[] = [];
      for (const name of names) {
        const bytes = await bytesOf(endpoint, name);
        if (!bytes.ok) return bytes;
        signing.push({ name, bytes: bytes.value });
      }
      const { isHere, host } = placeOf(profileNamed(window, endpoint)?.profile.rpcUrl);
      const wallets = signing.flatMap(({ name, bytes }) =>
        name === undefined ? [] : [{ name: name.slice(0, 80), address: encodeBase58(bytes.subarray(SEED)) }],
      );
      if (!isHere || wallets.length > 0) {
        const question = signingQuestion({ message: draft, programs: await programs(endpoint), host, wallets });
        if (!(await askSignature(question.join('\n')))) return failed(NOT_SIGNED);
      }
      return ok((blockhash) => {
        const message = withBlockhash(draft, blockhash);
        return ok({ message, signatures: signing.map(({ bytes }) => signEd25519(bytes, message)) });
      });
    },
  };
}

function placeOf(url: string | undefined): { readonly isHere: boolean; readonly host: string } {
  const parsed = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
  return { isHere: parsed !== undefined && isLoopback(parsed), host: parsed?.host ?? 'this endpoint' };
}

const NONE = invalidRequest(
  'This endpoint has no wallet.',
  'Start the local service: it comes with a funded one. Or name a keypair file for the endpoint in the setting solanaRpc.wallets.',
);

const NOT_SIGNED: ServiceError = { kind: 'confirmation', message: 'The transaction was not signed.' };

const ofProject = (endpoint: string): ServiceError =>
  invalidRequest(
    `No wallet signs for "${endpoint}": it is an endpoint of the project.`,
    'Add the endpoint to your own settings.',
  );

const unnamed = (name: string): ServiceError =>
  invalidRequest(
    `There is no wallet "${name.slice(0, 80)}".`,
    'Name its keypair file in the setting solanaRpc.wallets.',
  );

const unreadable = (name: string): ServiceError =>
  invalidRequest(
    `The keypair file of the wallet "${name.slice(0, 80)}" cannot be read.`,
    'The setting solanaRpc.wallets names files of 64 numbers by a complete path, or a path that begins with ~/.',
  );
