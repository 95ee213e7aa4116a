// Shared by the tests of parsed instructions: instructions of the public clients, explained by the service's parser.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { wireText } from '../../../localnet/wireJson';
import { parseInstruction } from '../../../localnet/rpc/parsed/parsedInstructions';

export const anyKey = (): string => encodeBase58(randomBytes(32));

/** An instruction by its addresses. */
export interface Plain {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

export interface Explained {
  readonly type: string;
  readonly info: Readonly<Record<string, unknown>>;
}

/** The parser's explanation of an instruction; fails if it leaves the bytes as they are. */
export function explain(instruction: Plain): Explained {
  const shown = JSON.parse(explanation(instruction)) as { readonly parsed?: Explained };
  assert.ok(shown.parsed, `${instruction.program} is parsed`);
  return shown.parsed;
}

/** The instruction as answers show it, parsed or not, as JSON text. */
export function explanation({ program, accounts, data }: Plain): string {
  const keys = [program, ...new Set(accounts)];
  const indexes = Uint8Array.from(accounts, (account) => keys.indexOf(account, 1));
  return wireText(
    parseInstruction({ programIdIndex: 0, accounts: indexes, data }, keys, { stackHeight: 1, line: '4.2' }),
  );
}

/** Every text and number that a value holds, as text. */
export function leaves(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves);
  if (value === null || value === undefined) return [];
  return [typeof value === 'string' ? value : typeof value === 'bigint' ? value.toString() : JSON.stringify(value)];
}
