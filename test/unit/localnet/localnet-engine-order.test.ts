// The order in which accounts go back into the engine: code before the programs that are made of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { BPF_LOADER_UPGRADEABLE, SYSTEM_PROGRAM } from '../../../localnet/ledger/accounts/addresses';
import { engineOrder } from '../../../localnet/ledger/engine/engineOrder';
import type { AccountChange } from '../../../localnet/ledger/types';
import type { AccountState } from '../../../localnet/node/open';

const CODE = encodeBase58(new Uint8Array(32).fill(7));
const account = (owner: string, executable = false, data = new Uint8Array()): AccountState => ({
  lamports: 1n,
  owner,
  data,
  executable,
  rentEpoch: 0n,
});
const program = account(BPF_LOADER_UPGRADEABLE, true, Uint8Array.of(2, 0, 0, 0, ...new Uint8Array(32).fill(7)));
const code = account(BPF_LOADER_UPGRADEABLE);
const order = (changes: readonly AccountChange[], all: readonly AccountChange[] = changes): string[] => {
  const accounts = new Map(all);
  return engineOrder(changes, {
    get: (address) => accounts.get(address),
    candidates: (owner) => [...accounts].flatMap(([address, one]) => (one?.owner === owner ? [address] : [])),
  }).map(([address]) => address);
};

test('programs come after everything else, accounts that are gone among it', () => {
  const changes: AccountChange[] = [
    ['program', program],
    ['gone', undefined],
    [CODE, code],
    ['wallet', account(SYSTEM_PROGRAM)],
  ];
  assert.deepEqual(order(changes), ['gone', CODE, 'wallet', 'program']);
});

test('a program whose code alone changed is written again', () => {
  assert.deepEqual(
    order(
      [[CODE, code]],
      [
        [CODE, code],
        ['program', program],
        ['other', account(BPF_LOADER_UPGRADEABLE, true, Uint8Array.of(2, 0, 0, 0, ...new Uint8Array(32)))],
      ],
    ),
    [CODE, 'program'],
  );
});
