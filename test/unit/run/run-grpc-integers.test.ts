// 64-bit integers of gRPC answers, which proto3 JSON writes as text: they compare as numbers wherever a value compares.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PreparedRequest } from '../../../core/requests/run/model';
import { ok } from '../../../core/service/errors';
import { runText, type Ran, type Setup } from '../../support/process/run';

const BIG = '18446744073709551615';
const ANSWER = `{"slot":"36","fee":"-5","big":"${BIG}","count":3,"two":"2","memo":"007","list":["36","40"],"at":{"slot":"36"}}`;

/** A gRPC call answers ANSWER, `getSlot` a number and `getAmount` the text of one. */
const reply: Setup['reply'] = (request: PreparedRequest) => {
  if (request.transport === 'GRPC') return ANSWER;
  return `{"id":${request.ids[0]},"result":${request.method === 'getAmount' ? '"36"' : '36'}}`;
};

const NOW = '### now\n# @name now\nGRPC geyser.Geyser/GetSlot\n{}\n';
const CAPTURES =
  '# @capture slot = result.slot\n# @capture two = result.two\n# @capture list = result.list\n# @capture at = result.at\n';
const CAPTURED = NOW.replace('GRPC', `${CAPTURES}GRPC`);
const asked = (text: string): Promise<Ran> => runText(text, { reply });

/** Whether each assertion of the last request holds. */
const checks = async (block: string, assertions: readonly string[], before = ''): Promise<Record<string, boolean>> => {
  const ran = await asked(`${before}${block}${assertions.map((one) => `?? ${one}\n`).join('')}`);
  const found = ran.report.requests.at(-1)?.assertions ?? [];
  assert.equal(found.length, assertions.length);
  return Object.fromEntries(assertions.map((one, index) => [one, found[index]?.passed === true]));
};

const all = (assertions: readonly string[], holds: boolean): Record<string, boolean> =>
  Object.fromEntries(assertions.map((one) => [one, holds]));

describe('64-bit integers of a gRPC answer', () => {
  test('every operator that compares takes their text for a number', async () => {
    const yes = [
      'result.slot == 36',
      'result.slot == 36.0',
      'result.slot == "36"',
      'result.slot != 35',
      'result.slot > 5',
      'result.slot <= 36',
      'result.slot between 5 36',
      'result.slot not between 5 35',
      'result.slot in [35, 36]',
      'result.slot not in [35, 37]',
      'result.slot within 10% of 38',
      'result.fee between -6 -4',
      `result.big == ${BIG}`,
      `result.big between 18446744073709551614 ${BIG}`,
      'result.list contains 40',
      'result.list == [36, 40]',
      'any result.list[*] == 40',
      'every result.list[*] in [36, 40]',
      'result.at == {"slot": 36}',
      'result.count == 3',
    ];
    assert.deepEqual(await checks(NOW, yes), all(yes, true));
  });

  test('and they stay text: a number is not equal to text, and digits that are not an integer are no number', async () => {
    const no = [
      'result.slot isNumber',
      'result.slot == 37',
      'result.slot == "36.0"',
      'result.slot not in [36]',
      'result.slot between 37 40',
      'result.big == 18446744073709551614',
      'result.memo == 7',
      'result.memo < 8',
      'result.count == "3"',
      'result.at == {"slot": 37}',
    ];
    assert.deepEqual(await checks(NOW, no), all(no, false));
  });

  test('a failed comparison of structures shows what differs, and no integer that is equal', async () => {
    const ran = await asked(`${NOW}?? result.at == {"slot": 36, "more": 1}\n`);
    assert.deepEqual(ran.report.requests[0]?.assertions[0]?.differences, ['more: found nothing, expected 1']);
  });

  test('the text of a JSON-RPC answer compares as before', async () => {
    const no = ['result == 36', 'result > 5', 'result between 5 40', 'result in [36]'];
    assert.deepEqual(await checks('### a\n{"method":"getAmount"}\n', no), all(no, false));
  });

  test('a captured integer compares with numbers and with text', async () => {
    const yes = [
      'result == {{slot}}',
      'result == {{= slot }}',
      'result != {{= slot + 1 }}',
      'result >= {{now.result.slot}}',
      'result between {{slot}} {{slot}}',
      'result in [1, {{slot}}]',
      'result in {{list}}',
      'result within 1% of {{slot}}',
      'result not in [{{= slot + 1 }}]',
    ];
    assert.deepEqual(await checks('### a\n{"method":"getSlot"}\n', yes, CAPTURED), all(yes, true));
    const same = ['result == {{slot}}', 'result in [{{slot}}]'];
    assert.deepEqual(await checks('### a\n{"method":"getAmount"}\n', same, CAPTURED), all(same, true));
    const own = [
      'result.slot == {{slot}}',
      'result.at == {{at}}',
      'result.list contains {{slot}}',
      'result.list length {{two}}',
      'result.list length >= {{two}}',
      'result.slot in {{list}}',
    ];
    const again = NOW.replaceAll('now', 'again');
    assert.deepEqual(await checks(again, own, CAPTURED), all(own, true));
  });

  test('stay exact through variables of a file and from another file', async () => {
    const variable = await checks(
      '### a\n{"method":"getSlot"}\n',
      ['result == {{s}}', 'result in {{l}}'],
      `@s = {{now.result.slot}}\n@l = [{{s}}]\n${NOW}`,
    );
    assert.deepEqual(Object.values(variable), [true, true]);
    const imported = await runText(
      '# @import ./lib\n### a\n# @if now.result.slot between 5 40\n{"method":"getSlot"}\n?? result == {{now.result.slot}}',
      {
        imports: { './lib': NOW },
        reply,
      },
    );
    assert.equal(imported.report.requests.at(-1)?.status, 'passed');
  });

  test('text that the file itself gives stays text', async () => {
    const given = await checks(
      '### a\n{"method":"getSlot"}\n',
      ['result == {{s}}', 'result in [{{s}}]'],
      '@s = "36"\n',
    );
    assert.deepEqual(Object.values(given), [false, false]);
  });

  test('a text of digits from a variable bounds a number in every order', async () => {
    const yes = ['result >= {{low}}', 'result between {{low}} {{high}}', 'result within 50% of {{high}}'];
    const before = '@low = "5"\n@high = "40"\n';
    assert.deepEqual(await checks('### a\n{"method":"getSlot"}\n', yes, before), all(yes, true));
  });
});

describe('@if and @retry on integers of gRPC answers', () => {
  for (const [condition, runs] of [
    ['now.result.slot > 5', true],
    ['now.result.slot == 36', true],
    ['now.result.slot between 5 40', true],
    ['now.result.slot in [36]', true],
    ['now.result.slot not in [36]', false],
    ['now.result.slot < 36', false],
    ['slot > 5', true],
    ['slot in [{{now.result.slot}}]', true],
    ['copy within 1% of 36', true],
    ['any list[*] == 40', true],
    ['height == {{slot}}', true],
    ['height between {{slot}} {{slot}}', true],
    ['amount > 5', false],
  ] as const)
    test(`@if ${condition} ${runs ? 'runs' : 'skips'} the request`, async () => {
      const ran = await asked(
        `@copy = {{slot}}\n${CAPTURED}` +
          '### h\n# @capture height = result\n{"method":"getSlot"}\n' +
          '### b\n# @capture amount = result\n{"method":"getAmount"}\n' +
          `### a\n# @if ${condition}\n{"method":"getSlot"}\n`,
      );
      assert.equal(ran.report.requests.at(-1)?.status, runs ? 'passed' : 'skipped');
    });

  for (const condition of [
    'result.slot < 45',
    'result.slot not between 45 100',
    'result.slot in [36, 37]',
    'result.slot != 45',
  ])
    test(`@retry while ${condition} repeats until it no longer holds`, async () => {
      const slots = ['36', '37', '45', '46'];
      const ran = await runText(`### a\n# @retry 9 every 250ms while ${condition}\nGRPC geyser.Geyser/GetSlot\n{}\n`, {
        reply: (_request, nth) => `{"slot":"${slots[nth]}"}`,
      });
      assert.equal(ran.sent.length, 3);
    });
});

test('integers of a gRPC stream compare as numbers, also when another request reads them', async () => {
  const text =
    '### s\n# @name s\n# @until 2 messages\nGRPC geyser.Geyser/Subscribe\n{"slots":{"a":{}}}\n' +
    '?? every messages[*].slot.slot between 5 40\n?? messages[1].slot.slot in [37]\n' +
    '### a\n# @if s.messages[0].slot.slot in [36]\n{"method":"getSlot"}\n?? result == {{s.messages[0].slot.slot}}\n';
  const ran = await runText(text, {
    reply,
    ports: {
      clock: { now: () => 0, unixSeconds: () => 0, sleep: () => new Promise(() => undefined) },
      stream: {
        openStream: async () =>
          ok({
            dropped: 0,
            async *messages() {
              yield { slot: { slot: '36' } };
              yield { slot: { slot: '37' } };
            },
            close: async () => undefined,
          }),
      },
    },
  });
  assert.deepEqual(
    ran.report.requests.map(({ status }) => status),
    ['passed', 'passed'],
  );
});
