// Two programs with an IDL, one of Anchor's and one of Codama's, whose instructions carry what they are to do.
import { createHash } from 'node:crypto';
import { argument, byField, bytes, number, numberValue, root, sized } from '../../support/data/codama';
import { borsh, layOut } from '../../support/data/layouts';
import { script, type Act } from '../../support/programs/puppet';
import type { Instruction } from '../rpc/rpc-harness';

/** Both: the instruction's discriminator, and the length of its script. */
export const HEADER_BYTES = 12;

const anchorTag = (name: string): Buffer => createHash('sha256').update(name).digest().subarray(0, 8);

const scriptArgument = { name: 'script', type: 'bytes' };

export const ANCHOR_IDL = {
  address: 'H9W9shDSfQdpiCPPpqZk3NZ15sj6s3nqxQ6qLxZjZVHh',
  metadata: { name: 'vault', version: '0.1.0', spec: '0.1.0' },
  instructions: ['deposit', 'withdraw'].map((name) => ({
    name,
    discriminator: [...anchorTag(`global:${name}`)],
    accounts: [
      { name: 'owner', signer: true },
      { name: 'vault', writable: true, optional: true },
    ],
    args: [scriptArgument],
  })),
  events: [{ name: 'Deposited', discriminator: [...anchorTag('event:Deposited')] }],
  types: [
    {
      name: 'Deposited',
      type: {
        kind: 'struct',
        fields: [
          { name: 'amount', type: 'u64' },
          { name: 'note', type: 'string' },
        ],
      },
    },
  ],
  errors: [{ code: 6000, name: 'VaultEmpty', msg: 'The vault is empty' }],
};

/** Codama has no events: its instructions begin with eight bytes of the same number. */
const ORDER_TAG = 7;
export const CODAMA_IDL = root({
  name: 'orders',
  instructions: [
    {
      kind: 'instructionNode',
      name: 'placeOrder',
      accounts: [
        { kind: 'instructionAccountNode', name: 'trader', isSigner: true, isWritable: false },
        { kind: 'instructionAccountNode', name: 'market', isSigner: false, isWritable: true, isOptional: true },
      ],
      arguments: [
        argument('discriminator', number('u64'), {
          defaultValue: numberValue(ORDER_TAG),
          defaultValueStrategy: 'omitted',
        }),
        argument('script', sized(bytes)),
      ],
      discriminators: [byField('discriminator', 0)],
    },
  ],
  errors: [{ kind: 'errorNode', name: 'marketClosed', code: 42, message: 'The market is closed' }],
});

const withScript = (head: Uint8Array, acts: readonly Act[]): Uint8Array => {
  const todo = script(...acts);
  return layOut(head, [4, todo.length], todo);
};

export const vaultData = (name: 'deposit' | 'withdraw', ...acts: readonly Act[]): Uint8Array =>
  withScript(anchorTag(`global:${name}`), acts);
export const orderData = (...acts: readonly Act[]): Uint8Array => withScript(layOut([8, ORDER_TAG]), acts);

/** The bytes of the event `Deposited`. */
export const deposited = (amount: bigint, note: string): Uint8Array =>
  layOut(anchorTag('event:Deposited'), [8, amount], borsh(note));

/** An event that a program leaves by calling itself. */
const EVENT_CALL = Uint8Array.of(0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d);
export const eventCall = (event: Uint8Array): Uint8Array => layOut(EVENT_CALL, event);

type Accounts = Instruction['accounts'];
export const call = (program: string, accounts: Accounts, data: Uint8Array): Instruction => ({
  program,
  accounts,
  data,
});
export const readonly = (...addresses: readonly string[]): Accounts => addresses.map((address) => ({ address }));
export const writable = (address: string): Accounts[number] => ({ address, writable: true });
export const signer = (address: string): Accounts[number] => ({ address, signer: true });
export const payerOf = (address: string): Accounts[number] => ({ address, signer: true, writable: true });
