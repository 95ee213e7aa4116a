// The run loop over ports in memory: asking, repeating, cancelling, saving, signing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failed, ok } from '../../../core/service/errors';
import { parseJson } from '../../../core/solana/json/json';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { withBlockhash } from '../../../core/solana/wire/messageWriter';
import { decodeTransaction } from '../../../core/solana/wire/transaction';
import { runText } from '../../support/process/run';
import type { Signer, WalletPort } from '../../../runner/ports';
import type { ServiceError } from '../../../core/service/errors';
import type { Ran, Reply } from '../../support/process/run';

const lost = (error: ServiceError): Reply => ({ error, lost: true });
const NETWORK = lost({ kind: 'network', message: 'The connection broke.' });
const row = (ran: Ran, at = 0) => ran.report.requests[at];

describe('asking', () => {
  const NOTE = '### a\n# @note really?\n{"method":"a"}';

  test('a request with a note that nobody confirms is not sent', async () => {
    const ran = await runText(NOTE);
    assert.deepEqual([ran.sent.length, row(ran)?.status, row(ran)?.error?.kind], [0, 'failed', 'confirmation']);
  });

  test('a confirmed note lets the request go, and the question is the note', async () => {
    const asked: string[] = [];
    const ran = await runText(NOTE, { ports: { confirm: async (question) => asked.push(question) > 0 } });
    assert.deepEqual([asked, row(ran)?.status], [['really?'], 'passed']);
  });

  test('a prompt is asked once, before anything is sent, and --var makes it needless', async () => {
    const text =
      '### a\n{"method":"a"}\n### b\n# @prompt n How many?\n{"method":"b","params":["{{n}}"]}\n### c\n# @prompt n\n{"method":"c","params":["{{n}}"]}';
    const labels: string[] = [];
    let sentBefore = -1;
    const sent: unknown[] = [];
    const prompt = async (_name: string, label: string): Promise<string> => {
      sentBefore = sent.length;
      labels.push(label);
      return '42';
    };
    const ran = await runText(text, {
      ports: { prompt },
      reply: (request) => {
        sent.push(request);
        return `{"id":${request.ids[0]},"result":1}`;
      },
    });
    assert.deepEqual([labels, sentBefore], [['How many?'], 0]);
    assert.match(ran.bodies[2] ?? '', /\[42\]/);
    const given = await runText(text, { vars: { n: '7' } });
    assert.match(given.bodies[1] ?? '', /\[7\]/);
  });
});

describe('repeating', () => {
  test('without @retry a broken connection fails the request after one try', async () => {
    const ran = await runText('### a\n{"method":"a"}', { reply: [NETWORK] });
    assert.deepEqual([ran.sent.length, row(ran)?.error?.kind], [1, 'network']);
  });

  test('@retry repeats what the transport lost, with its pause, the same body each time', async () => {
    const ran = await runText('### a\n# @retry 3 every 250ms\n{"method":"a","params":["{{$guid}}"]}', {
      reply: [NETWORK, NETWORK],
    });
    assert.deepEqual([ran.slept, row(ran)?.status, new Set(ran.bodies).size], [[250, 250], 'passed', 1]);
  });

  test('@retry while repeats as long as the condition holds, and no longer', async () => {
    const ran = await runText('### a\n# @retry 20 every 1s while result == null\n{"method":"a"}\n?? result == 5', {
      reply: ['{"id":1,"result":null}', '{"id":1,"result":null}', '{"id":1,"result":5}'],
    });
    assert.deepEqual([ran.sent.length, row(ran)?.status], [3, 'passed']);
  });

  test('the number of repeats is a bound', async () => {
    const ran = await runText('### a\n# @retry 2 every 1s while result == null\n{"method":"a"}\n?? result != null', {
      reply: () => '{"id":1,"result":null}',
    });
    assert.deepEqual([ran.sent.length, row(ran)?.status, row(ran)?.error], [3, 'failed', undefined]);
  });

  test('a refusal is not repeated: it would only be refused again', async () => {
    const ran = await runText('### a\n# @retry 5 every 1s\n{"method":"a"}', {
      reply: [lost({ kind: 'noKey', host: 'h', keyType: 'rpc', message: 'No key.' })],
    });
    assert.equal(ran.sent.length, 1);
  });

  test('a transaction whose answer was lost is not sent again by itself', async () => {
    const ran = await runText('### a\n{"method":"sendTransaction","params":["AQ=="]}', {
      reply: [lost({ kind: 'ambiguous', message: 'It may have landed.' })],
    });
    assert.deepEqual([ran.sent.length, row(ran)?.error?.kind], [1, 'ambiguous']);
  });
});

describe('cancelling', () => {
  test('while a request waits for its answer: it ends at once, the rest is skipped', async () => {
    const stop = new AbortController();
    const ran = await runText('### a\n{"method":"a"}\n### b\n{"method":"b"}', {
      signal: stop.signal,
      reply: () => {
        stop.abort();
        return new Promise<Reply>(() => undefined);
      },
    });
    assert.deepEqual(
      ran.report.requests.map((one) => [one.status, one.error?.kind]),
      [
        ['failed', 'cancelled'],
        ['skipped', undefined],
      ],
    );
  });

  test('while a repeat waits for its turn', async () => {
    const stop = new AbortController();
    const clock = {
      now: () => 0,
      unixSeconds: () => 0,
      sleep: () => {
        stop.abort();
        return new Promise<void>(() => undefined);
      },
    };
    const ran = await runText('### a\n# @retry 5 every 1s\n{"method":"a"}', {
      signal: stop.signal,
      reply: () => NETWORK,
      ports: { clock },
    });
    assert.deepEqual([ran.sent.length, row(ran)?.error?.kind], [1, 'cancelled']);
  });

  test('while a question is open', async () => {
    const stop = new AbortController();
    const confirm = (): Promise<boolean> => {
      stop.abort();
      return new Promise(() => undefined);
    };
    const ran = await runText('### a\n# @note sure?\n{"method":"a"}', { signal: stop.signal, ports: { confirm } });
    assert.deepEqual([ran.sent.length, row(ran)?.error?.kind], [0, 'cancelled']);
  });
});

describe('the course of a run', () => {
  test('a failed request does not stop the others, with --bail it does', async () => {
    const text = '### a\n{"method":"a"}\n### b\n{"method":"b"}';
    const on = await runText(text, { reply: [NETWORK] });
    const bailed = await runText(text, { reply: [NETWORK], bail: true });
    assert.deepEqual(
      on.report.requests.map((one) => one.status),
      ['failed', 'passed'],
    );
    assert.deepEqual(
      bailed.report.requests.map((one) => one.status),
      ['failed', 'skipped'],
    );
  });

  test('progress reports the start and the end of each request, in order', async () => {
    const ran = await runText('### a\n{"method":"a"}\n### b\n{"method":"b"}');
    assert.deepEqual(
      ran.progress.map((event) => event.kind),
      ['sending', 'done', 'sending', 'done'],
    );
  });

  test('progress says which answers are not of the endpoint: those of a URL on the request line', async () => {
    const ran = await runText('### a\n{"method":"a"}\n### b\nPOST https://rpc.example\n{"method":"b"}');
    assert.deepEqual(
      ran.progress.flatMap((event) => (event.kind === 'done' ? [event.isElsewhere] : [])),
      [undefined, true],
    );
  });

  test('the timeout and the endpoint of the preamble hold for every block that says nothing else', async () => {
    const ran = await runText(
      '# @timeout 5s\n# @endpoint main\n### a\n{"method":"a"}\n### b\n# @timeout 100ms\n{"method":"b"}',
    );
    assert.deepEqual(
      ran.sent.map((request) => [request.timeoutMs, request.endpoint]),
      [
        [5_000, 'main'],
        [100, 'main'],
      ],
    );
  });
});

describe('saving', () => {
  const REPLY = '{"jsonrpc":"2.0","id":1,"result":18446744073709551615}';

  test('>> saves the body as it came', async () => {
    const ran = await runText('### a\n{"method":"a"}\n>> out.json', { reply: [REPLY] });
    assert.equal(ran.written.get('out.json'), REPLY);
  });

  test('>> onto a file that is there fails the request, >>! does not', async () => {
    const refused = await runText('### a\n{"method":"a"}\n>> out.json\n### b\n{"method":"b"}\n>> out.json');
    const forced = await runText('### a\n{"method":"a"}\n>> out.json\n### b\n{"method":"b"}\n>>! out.json');
    assert.deepEqual(
      refused.report.requests.map((one) => one.status),
      ['passed', 'failed'],
    );
    assert.deepEqual(
      forced.report.requests.map((one) => one.status),
      ['passed', 'passed'],
    );
  });
});

describe('the wallet', () => {
  const ADDRESS = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
  const BLOCKHASH = '{"id":1,"result":{"value":{"blockhash":"EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N"}}}';
  const TRANSFER =
    '### a\n{"method":"sendTransaction","params":["{{$transfer $wallet amount}}",{"encoding":"base64"}]}';
  const PAY = (lamports: number): string =>
    `{"instructions":[{"transfer":{"to":"${ADDRESS}","lamports":${lamports}}}]}`;
  const wallet: WalletPort = {
    address: async () => ok(ADDRESS),
    sign: async (_endpoint, draft) =>
      ok((blockhash) => ok({ message: withBlockhash(draft, blockhash), signatures: [new Uint8Array(64).fill(7)] })),
    identity: async () => ADDRESS,
  };

  test('a transfer is built with a fresh blockhash, signed by the port, and goes out as base64', async () => {
    const ran = await runText(`@amount = 18446744073709551615\n${TRANSFER}`, { ports: { wallet }, reply: [BLOCKHASH] });
    assert.deepEqual(
      ran.sent.map((request) => request.method),
      ['getLatestBlockhash', 'sendTransaction'],
    );
    const [transaction] = (JSON.parse(ran.bodies[1] ?? '') as { params: [string] }).params;
    const bytes = Buffer.from(transaction, 'base64');
    assert.deepEqual([bytes[0], bytes.subarray(1, 65).every((byte) => byte === 7)], [1, true]);
    assert.ok(bytes.includes(Buffer.from('ffffffffffffffff', 'hex')));
    const read = decodeTransaction(bytes);
    assert.equal(read.ok && encodeBase58(read.value.message.blockhash), 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N');
  });

  for (const [what, list, signatures] of [
    ['helpers', '"{{$transfer $wallet 1}}","{{$memo hi}}","{{$transfer $wallet 2}}"', 3],
    ['transactions', [1, 2].map((lamports) => `{"$transaction":${PAY(lamports)}}`).join(), 2],
  ] as const)
    test(`blockhashes are read when all questions about the ${what} of a request are answered`, async () => {
      const order: string[] = [];
      const ran = await runText(`### a\n{"method":"sendBundle","params":[[${list}],{"encoding":"base64"}]}`, {
        ports: {
          wallet: {
            ...wallet,
            sign: async (...asked) => {
              order.push('asked');
              return wallet.sign(...asked);
            },
          },
        },
        reply: ({ method }) => (order.push(method), method === 'getLatestBlockhash' ? BLOCKHASH : '{"id":1}'),
      });
      assert.equal(row(ran)?.status, 'passed', JSON.stringify(row(ran)?.error));
      const times = (text: string): string[] => Array.from({ length: signatures }, () => text);
      assert.deepEqual(order, [...times('asked'), ...times('getLatestBlockhash'), 'sendBundle']);
    });

  const COMMITMENTS: readonly (readonly [wanted: string, body: string, preamble?: string])[] = [
    ['finalized', '{"method":"sendTransaction","params":["TX",{"encoding":"base64"}]}'],
    ['finalized', '{"method":"sendTransaction","params":["TX"]}'],
    ['confirmed', '{"method":"sendTransaction","params":["TX",{"preflightCommitment":"confirmed"}]}'],
    ['confirmed', '{"method":"sendTransaction","params":["TX",{"preflightCommitment":"processed"}]}'],
    ['confirmed', '{"method":"sendTransaction","params":["TX",{"skipPreflight":true}]}'],
    ['confirmed', '{"method":"sendTransaction","params":["TX","{{config}}"]}', '@config = {"skipPreflight":true}\n'],
    ['finalized', '{"method":"simulateTransaction","params":["TX",{"encoding":"base64"}]}'],
    ['confirmed', '{"method":"simulateTransaction","params":["TX",{"commitment":"confirmed"}]}'],
    ['confirmed', '{"method":"simulateTransaction","params":["TX",{"replaceRecentBlockhash":true}]}'],
    ['confirmed', '{"method":"getFeeForMessage","params":["TX"]}'],
    ['finalized', '[{"id":7,"method":"getSlot"},{"id":8,"method":"sendTransaction","params":["TX"]}]'],
    ['confirmed', '{"method":"sendTransaction","params":["{{tx}}",{"skipPreflight":true}]}', '@tx = {{$memo hi}}\n'],
  ];
  for (const [wanted, body, preamble = ''] of COMMITMENTS)
    test(`the blockhash of ${body} is ${wanted}, as what checks it knows it`, async () => {
      const text = `${preamble}### a\n${body.replace('TX', '{{$transfer $wallet 5}}')}`;
      const ran = await runText(text, { ports: { wallet }, reply: [BLOCKHASH] });
      assert.match(ran.bodies[0] ?? '', new RegExp(`getLatestBlockhash.*"${wanted}"`));
      assert.equal(ran.sent.length, 2);
    });

  test('a repeated send carries the same signed bytes', async () => {
    const ran = await runText(TRANSFER.replace('### a', '### a\n# @retry 2 every 1s').replace('amount', '5'), {
      ports: { wallet },
      reply: [BLOCKHASH, NETWORK],
    });
    assert.equal(ran.sent.length, 3);
    assert.equal(ran.bodies[1], ran.bodies[2]);
  });

  test('where the wallet is off the request fails and nothing is signed', async () => {
    const ran = await runText('### a\n{"method":"getBalance","params":["{{$wallet}}"]}');
    assert.deepEqual([ran.sent.length, row(ran)?.error?.message], [0, 'The wallet is off.']);
  });

  test('a refused blockhash is the reason reported', async () => {
    const ran = await runText(TRANSFER.replace('amount', '5'), {
      ports: { wallet },
      reply: [lost({ kind: 'keyRejected', message: 'Unknown key.' })],
    });
    assert.equal(row(ran)?.error?.kind, 'keyRejected');
  });

  test('a signature that is refused fails the request', async () => {
    const refusing = { ...wallet, sign: async () => failed<Signer>({ kind: 'confirmation', message: 'No.' }) };
    const ran = await runText(TRANSFER.replace('amount', '5'), { ports: { wallet: refusing }, reply: [BLOCKHASH] });
    assert.deepEqual([ran.sent.length, row(ran)?.error?.kind], [0, 'confirmation']);
  });
});

test('a report shows the request and the response with exact digits', async () => {
  const ran = await runText('### a\n{"method":"a","params":[18446744073709551615]}', {
    reply: ['{"id":1,"result":1.10}'],
  });
  assert.deepEqual(
    row(ran)?.request,
    parseJson('{"jsonrpc":"2.0","id":1,"method":"a","params":[18446744073709551615]}'),
  );
  assert.deepEqual(row(ran)?.response, parseJson('{"id":1,"result":1.10}'));
});
