// No option of any command takes a key in place of its value, nor a wallet's secret key: every option that there is, in both
// ways to write it, is refused before it is read, and the refusal repeats nothing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { COMMANDS, isCommand, readArguments, type Command } from '../../../cli/options';
import { UsageError } from '../../../cli/exit';
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { newKeypair } from '../../support/data/keypairs';

const KEY = 'sk-live-4711aBcDeFgHiJkLmNoP';
const HELD: readonly string[] = [
  `https://rpc.example/v2/${KEY}`,
  `https://rpc.example/?api-key=${KEY}`,
  `https://rpc.example/?a=${KEY}`,
  `https://rpc.example/#${KEY}`,
  `https://me:${KEY}@rpc.example/`,
  `wss://rpc.example/${KEY}/ws`,
  `SOLANA_RPC_KEY=${KEY}`,
  `token=${KEY}`,
];

/** Refused as a key, in a sentence without a part of it. */
function assertRefused(command: string, args: readonly string[]): void {
  assert.ok(isCommand(command));
  assert.throws(
    () => readArguments(command, args),
    (error) =>
      error instanceof UsageError && /does not belong on the command line/.test(error.message) && !holds(error.message),
    [command, ...args].join(' '),
  );
}
const holds = (text: string): boolean => text.includes(KEY) || text.includes(KEY.slice(0, 12));

for (const [command, { options, words }] of Object.entries<Command>(COMMANDS))
  describe(`solana-rpc ${command}`, () => {
    const taking = Object.entries(options).flatMap(([name, { value }]) => (value === undefined ? [] : [name]));
    for (const name of taking)
      test(`--${name} takes no key`, () => {
        for (const held of HELD) {
          assertRefused(command, [`--${name}`, held]);
          assertRefused(command, [`--${name}=${held}`]);
        }
      });

    test(
      words !== undefined ? 'no word is a key' : 'a word that it does not take is not repeated where it may be a key',
      () => {
        for (const held of [KEY, ...HELD]) assertRefused(command, [held]);
      },
    );
  });

describe('--wallet', () => {
  const { secret, file } = newKeypair();
  const hex = Buffer.from(decodeBase58(secret) ?? []).toString('hex');
  for (const [what, text] of [
    ['in base58', secret],
    ['as 64 numbers', file],
    ['in hex', hex],
    ['without a name', `=${secret}`],
  ] as const)
    test(`takes no secret key ${what}, but the name of its file`, () => {
      for (const args of [
        ['--wallet', `payer=${text.replace(/^=/, '')}`],
        [`--wallet=payer=${text.replace(/^=/, '')}`],
        ['--wallet', text],
      ])
        assert.throws(
          () => readArguments('run', args),
          (error) =>
            error instanceof UsageError &&
            /name the file/i.test(error.message) &&
            ![secret, file, hex].some((one) => error.message.includes(one.slice(0, 20))),
          what,
        );
    });

  test('takes files', () => {
    for (const path of ['id.json', '~/.config/solana/id.json', '/tmp/[1]/id.json', './a=b.json'])
      assert.deepEqual(readArguments('run', ['--wallet', `payer=${path}`]).list('wallet'), [`payer=${path}`]);
  });
});
