// The helpers that know Solana: their values in what is sent, and what the editor says of their arguments.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ok } from '../../../core/service/errors';
import { createLanguageService } from '../../../core/requests/language/service';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../core/solana/chain/addresses';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { keyBytes } from '../../../core/solana/chain/keys';
import { addressWithSeed, programAddress } from '../../../core/solana/chain/programAddress';
import { associatedAddress } from '../../../core/solana/wire/wellKnown';
import { runText } from '../../support/process/run';
import { marked } from '../language/markers';

const address = (byte: number): string => encodeBase58(new Uint8Array(32).fill(byte));
const WALLET = address(1);
const OWNER = address(2);
const MINT = address(3);
const PROGRAM = address(4);
const key = (text: string): Uint8Array => keyBytes(text) ?? assert.fail(text);

/** The first parameter as it is sent; `owner`: of every account that is asked for. */
async function sent(value: string, owner = TOKEN_PROGRAM): Promise<string> {
  const text = `@owner = ${OWNER}\n@program = ${PROGRAM}\n@price = 0.25\n\n### x\n{ "method": "custom", "params": [${value}] }\n`;
  const { sent: all, report } = await runText(text, {
    reply: ({ method, ids }) =>
      `{"jsonrpc":"2.0","id":${ids[0] ?? '1'},"result":${method === 'getAccountInfo' ? `{"value":{"owner":"${owner}"}}` : '1'}}`,
    ports: {
      wallet: {
        address: async () => ok(WALLET),
        sign: async (_endpoint, message) => ok(() => ok({ message, signatures: [] })),
        identity: async () => WALLET,
      },
    },
  });
  const body = all.find(({ method }) => method === 'custom')?.body ?? assert.fail(report.requests[0]?.error?.message);
  return /"params":\[(.*)\]/.exec(body)?.[1] ?? '';
}

const pda = (program: string, ...seeds: Uint8Array[]): string => `"${programAddress(seeds, program)?.address ?? ''}"`;

describe('values', () => {
  const cases: readonly (readonly [value: string, wanted: string])[] = [
    ['"{{$sol 1.5}}"', '1500000000'],
    ['"{{$sol 0.000000001}}"', '1'],
    ['"{{$sol 18446744073.709551615}}"', '18446744073709551615'],
    ['"{{$sol price}}"', '250000000'],
    ['"{{$base58 hex:0000ff}}"', '"115Q"'],
    ['"{{$datetime iso}}"', '"2023-11-14T22:13:20Z"'],
    ['"{{$datetime iso -1d}}"', '"2023-11-13T22:13:20Z"'],
    ['"{{$datetime \\"date\\" +2h}}"', '"2023-11-15"'],
    ['"{{$datetime unix -10s}}"', '1699999990'],
    ['"{{$datetime unixms}}"', '1700000000000'],
    ['"{{$withSeed $wallet vault program}}"', `"${addressWithSeed(WALLET, 'vault', PROGRAM) ?? ''}"`],
    [`"{{$ata owner ${MINT}}}"`, `"${associatedAddress(OWNER, MINT, TOKEN_PROGRAM) ?? ''}"`],
    [
      `"{{$ata $wallet ${MINT} ${TOKEN_2022_PROGRAM}}}"`,
      `"${associatedAddress(WALLET, MINT, TOKEN_2022_PROGRAM) ?? ''}"`,
    ],
    [
      '"{{$pda program \\"vault\\" owner u64:5 hex:ff}}"',
      pda(PROGRAM, Buffer.from('vault'), key(OWNER), Uint8Array.of(5, 0, 0, 0, 0, 0, 0, 0), Uint8Array.of(255)),
    ],
    [
      `"{{$pda ${PROGRAM} text:vault $wallet i16:-2}}"`,
      pda(PROGRAM, Buffer.from('vault'), key(WALLET), Uint8Array.of(254, 255)),
    ],
  ];
  for (const [value, wanted] of cases) test(value, async () => assert.equal(await sent(value), wanted));

  test('the token program of a mint is asked for where it is left out', async () => {
    assert.equal(
      await sent(`"{{$ata owner ${MINT}}}"`, TOKEN_2022_PROGRAM),
      `"${associatedAddress(OWNER, MINT, TOKEN_2022_PROGRAM) ?? ''}"`,
    );
    await assert.rejects(sent(`"{{$ata owner ${MINT}}}"`, PROGRAM), /is not a mint at this endpoint/);
  });
});

describe('arguments', () => {
  const service = createLanguageService({ surroundings: () => ({}), log: (message) => assert.fail(message) });
  const codes = (reference: string): readonly string[] => {
    const { document } = marked(
      `@owner = ${OWNER}\n@price = 0.25\n\n### x\n{ "method": "getBalance", "params": ["{{${reference}}}"] }\n`,
    );
    return service
      .diagnostics(document)
      .filter(({ range }) => range.start.line === 4)
      .map(
        ({ code, range }) =>
          `${String(code)} ${document.lines[4]?.slice(range.start.character, range.end.character) ?? ''}`,
      );
  };

  test('right ones have no finding', () => {
    for (const reference of [
      '$sol 1.5',
      '$sol price',
      `$ata owner ${MINT}`,
      `$ata $wallet ${MINT} ${TOKEN_2022_PROGRAM}`,
      `$pda ${PROGRAM} \\"vault\\" owner u8:255 hex:00`,
      '$pda counter text:vault $wallet',
      `$withSeed $wallet owner ${PROGRAM}`,
      '$datetime iso',
      '$datetime unix +3w',
      '$base58 text:hello',
    ])
      assert.deepEqual(codes(reference), [], reference);
  });

  test('each wrong one has one, at its place', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['$sol 1,5', 'wrong-type 1,5'],
      ['$sol 1.0000000001', 'wrong-type 1.0000000001'],
      ['$sol owner', 'wrong-type owner'],
      [`$ata ownr ${MINT}`, 'unresolved-variable ownr'],
      [`$ata owner ${MINT.slice(0, 40)}!`, `not-base58 ${MINT.slice(0, 40)}!`],
      [`$pda ${PROGRAM} u8:256`, 'wrong-type u8:256'],
      [`$pda ${PROGRAM} vault`, 'unresolved-variable vault'],
      ['$datetime yesterday', 'enum-value yesterday'],
      ['$datetime iso 1d', 'wrong-type 1d'],
      ['$base58 00ff', 'wrong-type 00ff'],
      ['$ata owner', 'unresolved-variable {{$ata owner}}'],
    ];
    for (const [reference, wanted] of cases) assert.deepEqual(codes(reference), [wanted], reference);
  });

  test('they are offered, and hover says what they are', () => {
    const { document, cursor } = marked('### x\n{ "method": "getBalance", "params": ["{{$‸}}"] }\n');
    const labels = service.completion(document, cursor).map(({ label }) => label);
    for (const name of ['$sol', '$ata', '$pda', '$withSeed', '$datetime', '$base58'])
      assert.ok(labels.includes(name), name);
    const hovered = marked('### x\n{ "method": "getBalance", "params": ["{{$p‸da a b}}"] }\n');
    assert.match(JSON.stringify(service.hover(hovered.document, hovered.cursor)), /program-derived address/);
  });
});
