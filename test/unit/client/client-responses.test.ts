// Places that the editor finds in the text of a response: those an explorer can show, and the lines of a log.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chainPlaces, explorerUrl, markedLogLines } from '../../../client/responses/responseText';
import { encodeBase58 } from '../../../core/solana/encoding/base58';

const ADDRESS = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SIGNATURE = encodeBase58(new Uint8Array(64).fill(7));

describe('the explorer', () => {
  test('is offered for addresses and signatures, not for hashes, names and data', () => {
    const text = JSON.stringify(
      {
        owner: ADDRESS,
        blockhash: ADDRESS,
        signature: SIGNATURE,
        list: [ADDRESS],
        [ADDRESS]: 1,
        data: [encodeBase58(new Uint8Array(33).fill(200)), 'base58'],
        word: 'a'.repeat(40),
      },
      null,
      2,
    );
    const places = chainPlaces(text);
    assert.deepEqual(
      places.map(({ kind, value }) => [kind, value]),
      [
        ['address', ADDRESS],
        ['tx', SIGNATURE],
        ['address', ADDRESS],
      ],
    );
    for (const { value, start, end } of places) assert.equal(text.slice(start, end), value);
  });

  test('gets what its template asks for', () => {
    const place = { kind: 'tx', value: SIGNATURE } as const;
    assert.equal(
      explorerUrl('https://x.example/{kind}/{value}', place, { cluster: 'mainnet-beta' }),
      `https://x.example/tx/${SIGNATURE}`,
    );
    const local = 'https://x.example/{kind}/{value}?customUrl={rpcUrl}';
    assert.match(
      explorerUrl(local, place, { rpcUrl: 'http://127.0.0.1:8899' }) ?? '',
      /customUrl=http%3A%2F%2F127\.0\.0\.1%3A8899$/,
    );
    assert.equal(explorerUrl(local, place, { cluster: 'mainnet-beta' }), undefined);
  });

  test('never shows another ledger than the one that answered', () => {
    const place = { kind: 'tx', value: SIGNATURE } as const;
    const web = 'https://x.example/{kind}/{value}';
    const clusters = `${web}?cluster={cluster}`;
    // The address does not name the ledger: no link until an answer has named it, and none for a private one.
    for (const rpcUrl of ['http://127.0.0.1:8899', 'https://api.devnet.solana.com', 'https://rpc.example', undefined])
      for (const template of [web, clusters]) assert.equal(explorerUrl(template, place, { rpcUrl }), undefined, rpcUrl);
    assert.equal(explorerUrl(web, place, { cluster: 'devnet' }), undefined);
    assert.match(explorerUrl(clusters, place, { cluster: 'devnet' }) ?? '', /cluster=devnet$/);
    assert.match(explorerUrl(clusters, place, { cluster: 'mainnet-beta' }) ?? '', /cluster=mainnet-beta$/);
  });

  test('is a page on the web and nothing else', () => {
    const place = { kind: 'address', value: ADDRESS } as const;
    for (const template of [
      'javascript:alert({value})',
      'command:x?{value}',
      'file:///{value}',
      'http://x/{value}',
      'https://{value',
      'https://x.example',
    ])
      assert.equal(explorerUrl(template, place, { cluster: 'mainnet-beta' }), undefined, template);
  });
});

describe('the log of a failed preflight', () => {
  test('has its failures and its successes marked, and nothing outside it', () => {
    const lines = [
      '{',
      '  "message": "Program x failed: outside",',
      '  "logs": [',
      '    "Program 11111111111111111111111111111111 invoke [1]",',
      '    "Program 11111111111111111111111111111111 success",',
      '    "Program log: Error: insufficient funds",',
      '    "Program Abc failed: custom program error: 0x1"',
      '  ],',
      '  "other": ["Program Abc failed: outside"]',
      '}',
    ];
    assert.deepEqual(markedLogLines(lines), [
      { line: 4, mark: 'succeeded' },
      { line: 5, mark: 'failed' },
      { line: 6, mark: 'failed' },
    ]);
  });
});
