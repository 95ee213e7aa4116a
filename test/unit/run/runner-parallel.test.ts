// Requests of a file that run at the same time: which may, which wait, and that the report stays in the order of the file.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runText, type Ran, type Setup } from '../../support/process/run';

/** Answers requests when the test says so. */
class Service {
  /** Methods that are waiting for an answer, in the order in which they were sent. */
  readonly open = new Map<string, () => void>();
  readonly log: string[] = [];
  most = 0;
  #onSent = (): void => undefined;

  readonly reply: Exclude<Setup['reply'], undefined> = (request) =>
    new Promise((resolve) => {
      this.log.push(`sent ${request.method}`);
      this.open.set(request.method, () => {
        this.open.delete(request.method);
        this.log.push(`answered ${request.method}`);
        resolve(`{"jsonrpc":"2.0","id":${request.ids[0] ?? 'null'},"result":"${request.method}"}`);
      });
      this.most = Math.max(this.most, this.open.size);
      this.#onSent();
    });

  /** Answers the newest open request each time, until the run ends. */
  async newestFirst(run: Promise<Ran>): Promise<Ran> {
    let ran: Ran | undefined;
    const ended = run.then((value) => {
      ran = value;
    });
    while (ran === undefined) {
      if (this.open.size === 0) await Promise.race([ended, new Promise<void>((resolve) => (this.#onSent = resolve))]);
      // Everything that can be sent along with it is sent by then.
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      [...this.open.values()].at(-1)?.();
    }
    return ran;
  }
}

const block = (method: string, params = '', more = ''): string =>
  `### ${method}\n# @name ${method}\n${more}{ "method": "${method}"${params === '' ? '' : `, "params": [${params}]`} }\n`;

async function ran(text: string, setup: Setup): Promise<{ readonly service: Service; readonly ran: Ran }> {
  const service = new Service();
  return { service, ran: await service.newestFirst(runText(text, { ...setup, reply: service.reply })) };
}

describe('requests that only read', () => {
  const text = ['getA', 'getB', 'getC', 'getD', 'getE'].map((name) => block(name)).join('');

  test('run at the same time, up to the number given, and are reported in the order of the file', async () => {
    for (const [parallel, most] of [
      [undefined, 1],
      [1, 1],
      [3, 3],
      [64, 5],
    ] as const) {
      const { service, ran: all } = await ran(text, parallel === undefined ? {} : { parallel });
      assert.equal(service.most, most);
      assert.deepEqual(
        all.report.requests.map(({ method, status }) => [method, status]),
        ['getA', 'getB', 'getC', 'getD', 'getE'].map((name) => [name, 'passed']),
      );
      const places = all.progress.flatMap((event) =>
        event.kind === 'done' ? [[event.index, event.report.method]] : [],
      );
      assert.deepEqual(new Map(places as [number, string][]).get(2), 'getC');
    }
  });

  test('wait for those they name, directly or through a variable; the others do not', async () => {
    const chain = `@through = {{getA.result}}\n\n${block('getA')}${block('getB', '"{{getA.result}}"')}${block('getC', '"{{through}}"')}${block('getD')}`;
    const { service, ran: all } = await ran(chain, { parallel: 8 });
    assert.equal(all.report.ok, true);
    const at = (line: string): number => service.log.indexOf(line);
    assert.ok(at('answered getA') < at('sent getB'), service.log.join(', '));
    assert.ok(at('answered getA') < at('sent getC'));
    assert.ok(at('sent getD') < at('answered getA'));
  });

  test('stop at a failure with bail: what is under way ends, the rest is skipped', async () => {
    const failing = text.replace('{ "method": "getB" }\n', '{ "method": "getB" }\n?? result == 7\n');
    const { ran: all } = await ran(failing, { parallel: 2, bail: true });
    const statuses = all.report.requests.map(({ status }) => status);
    assert.equal(statuses[1], 'failed');
    assert.equal(statuses.at(-1), 'skipped');
  });
});

describe('requests that do more run alone, in their place', () => {
  for (const [what, middle] of [
    ['a transaction', block('sendTransaction', '"AQ=="')],
    ['an airdrop', block('requestAirdrop', '"11111111111111111111111111111111", 1')],
    ['a method that nobody knows', block('resetEverything')],
    ['a method that only a run knows', '### x\n@which = {{getA.result}}\n{ "method": "{{which}}" }\n'],
    ['a request that saves its answer', `${block('getM').trimEnd()}\n>> saved.json\n`],
    ['a request that reads a file', block('getM', '"{{$file memo.txt}}"')],
  ] as const)
    test(what, async () => {
      const text = `${block('getA')}${block('getB')}${middle}${block('getC')}${block('getD')}`;
      const { service, ran: all } = await ran(text, { parallel: 8, files: { 'memo.txt': 'memo' } });
      assert.equal(all.report.requests.length, 5);
      const middleAt = service.log.findIndex((line) => line.startsWith('sent') && !/get[BCD]$|sent getA/.test(line));
      const alone = middleAt < 0 ? service.log.lastIndexOf('sent getA') : middleAt;
      const before = service.log.slice(0, alone);
      for (const name of ['getA', 'getB']) assert.ok(before.includes(`answered ${name}`), service.log.join(', '));
      for (const name of ['getC', 'getD']) assert.ok(!before.includes(`sent ${name}`), service.log.join(', '));
      assert.match(service.log[alone + 1] ?? '', /^answered/, service.log.join(', '));
    });
});

test('a transaction is never under way with any other request, at any parallelism', async () => {
  const text = Array.from(
    { length: 4 },
    (_, at) =>
      `${block(`getBefore${at}`)}${block('sendTransaction', '"AQ=="').replace('# @name sendTransaction\n', '')}`,
  ).join('');
  const { service } = await ran(text, { parallel: 64 });
  for (const [at, line] of service.log.entries())
    if (line === 'sent sendTransaction') assert.equal(service.log[at + 1], 'answered sendTransaction');
});
