// How the values of the service's options are read: numbers within bounds, texts, addresses.
import { isPublicKey } from '../core/solana/chain/keys';
import type { CloneOrder, Options } from './optionTypes';

/** An option of the command line. */
export interface Definition {
  /** The names of its values in the help text, with blanks between; without them the option is a switch. */
  readonly value?: string;
  /** Its value may be left out. */
  readonly isOptional?: true;
  /** It may be given again, or once with several values one after the other. */
  readonly isMultiple?: true;
  readonly text: string;
  /** Not in the help: what the program of --shim is started with. */
  readonly hidden?: true;
  /** The change that the option makes to what was read so far; `undefined` or the reason when its values are not allowed. */
  read(values: readonly string[], before: Options): Partial<Options> | string | undefined;
}

type NumberOption =
  | 'port'
  | 'grpcPort'
  | 'faucetPort'
  | 'slotMs'
  | 'finalityLag'
  | 'traffic'
  | 'scanMs'
  | 'rpcPort'
  | 'slotsPerEpoch'
  | 'warpSlot'
  | 'forkSlot'
  | 'computeUnitLimit'
  | 'logBytes';

/** A whole number; the reason if it is not within the bounds. */
export function number(
  name: NumberOption,
  least: number,
  most: number,
): (values: readonly string[]) => Partial<Options> | string {
  return ([value = '']) => {
    const read = /^\d{1,9}$/.test(value) ? Number(value) : -1;
    return read >= least && read <= most ? { [name]: read } : `it takes a whole number from ${least} to ${most}`;
  };
}

export function text(name: 'seed' | 'state' | 'accountsFile' | 'source' | 'ledger' | 'config'): Definition['read'] {
  return ([value = '']) => (value === '' ? undefined : { [name]: value });
}

export function cloneAs(kind: CloneOrder['kind']): Definition['read'] {
  return ([address = ''], { clones }) =>
    isPublicKey(address) ? { clones: [...clones, { address, kind }] } : undefined;
}

/** An option of one value. */
export function one(read: (value: string) => Partial<Options> | string | undefined): Definition['read'] {
  return ([value = '']) => read(value);
}
