// The bytes of an SPL Token account, for the cheat code that makes one (165 bytes, SPL Token's state layout).

/** Token, Token-2022. */
export const TOKEN_PROGRAMS = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
] as const;

const LENGTH = 165;
const OWNER_AT = 32;
const AMOUNT_AT = 64;
const STATE_AT = 108;
/** By the state's number. */
const STATES = ['uninitialized', 'initialized', 'frozen'] as const;

export type TokenState = (typeof STATES)[number];

export const isTokenState = (name: string): name is TokenState => STATES.some((state) => state === name);

/** No delegate, not native, no close authority. `mint` and `owner` are 32 bytes; `amount` is in the mint's smallest unit. */
export function tokenAccountData(mint: Uint8Array, owner: Uint8Array, amount: bigint, state: TokenState): Uint8Array {
  const data = new Uint8Array(LENGTH);
  data.set(mint, 0);
  data.set(owner, OWNER_AT);
  new DataView(data.buffer).setBigUint64(AMOUNT_AT, amount, true);
  data[STATE_AT] = STATES.indexOf(state);
  return data;
}
