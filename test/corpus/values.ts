// Values used in the blocks of the corpus; all of them decode. Base58 and base64 of the same bytes where both are due.
import { encodeBase58 } from '../../core/solana/encoding/base58';

export const KEY = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
export const OTHER_KEY = 'AUTGSQZmpGTqzi49AbxUutG1SRL1EY48Fr8k2YuYk3j3';
export const SYSTEM = '11111111111111111111111111111111';
/** Wrapped SOL: a mint that every ledger has. */
export const MINT = 'So11111111111111111111111111111111111111112';
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
/** An address that nobody has used. */
export const UNKNOWN = 'Unknown111111111111111111111111111111111111';
export const NO_SIGNATURE = '1'.repeat(64);
export const BLOCKHASH = 'G48THYrfFq3Bdxjw3tZqaCb3w8qiBif1ofGgGei9g8FG';
export const SIGNATURE = '2xC5zogoBUckCA9YEAdkC9UVYz9EvvU8qThQ423t8fTGwSaE9GAwLfnzhZYdXoQYTmDioRCGFwgfHe6BkustSdU1';

/** A legacy transfer of 5,000 lamports: its message, and the whole of it, signed. */
export const MESSAGE =
  'AQABA34hURwBn/BuwrOqKn6sUIjskQ8euc3wNEN9DYaC/l/ZeXJtpS2Z1gsH6tc7L28L9gg8yFx3qU401pHXj4vK/skAAAAAAAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAN+seULr36G8BylkJgVh8dOBGkMZa8JVoj0a66rzKDQvAQICAAEMAgAAAIgTAAAAAAAA';
const SIGNATURE_BYTES = 64;

const bytes = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));
const base64Of = (...parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString('base64');

export const TRANSACTION =
  'AWGcmy+u/ho5gsVlTD1pm0Wr+tZcyXsZTJSLDOt/JIKmJpujjd+ktIJ7Ug+syMq5LBx69UVZh3XaLxZvk56WyQYBAAEDfiFRHAGf8G7Cs6oqfqxQ' +
  'iOyRDx65zfA0Q30NhoL+X9l5cm2lLZnWCwfq1zsvbwv2CDzIXHepTjTWkdePi8r+yQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA36x5' +
  'QuvfobwHKWQmBWHx04EaQxlrwlWiPRrrqvMoNC8BAgIAAQwCAAAAiBMAAAAAAAA=';
export const TRANSACTION_58 = encodeBase58(bytes(TRANSACTION));

/** The same transfer with sixty-four zero bytes in place of its signature. */
export const UNSIGNED = base64Of(Uint8Array.of(1), new Uint8Array(SIGNATURE_BYTES), bytes(MESSAGE));
export const UNSIGNED_58 = encodeBase58(bytes(UNSIGNED));

/** A byte more than a node takes, in both forms; no transaction. */
export const TOO_LARGE = base64Of(new Uint8Array(1233).fill(7));

/** Base58 of that many bytes, none of them zero. */
export const base58OfLength = (length: number): string => encodeBase58(new Uint8Array(length).fill(7));
/** Base64 of that many bytes. */
export const base64OfLength = (length: number): string => base64Of(new Uint8Array(length).fill(7));
