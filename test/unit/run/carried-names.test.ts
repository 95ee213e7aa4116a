// Ways on which a variable of the environment could leave this machine by way of an answer, a file or the state of a
// service here. Each row is a request file; no host elsewhere and no file of the workspace may get the value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ok } from '../../../core/service/errors';
import { answerOf } from '../../../core/requests/document/variables/answer';
import {
  AWAY,
  HERE,
  holdsValue,
  LEAK,
  LEAK_FILE,
  READ,
  simple,
  STORE,
  VALUE,
  WAYS,
} from '../../support/data/carryingFiles';
import { runText, type Ran, type Setup } from '../../support/process/run';
import type { PreparedRequest } from '../../../core/requests/run/model';
import type { EnvironmentPort, RunPorts } from '../../../runner/ports';
import type { References } from '../../../runner/references';

const hostOf = ({ url, endpoint }: Pick<PreparedRequest, 'url' | 'endpoint'>): string =>
  url === undefined ? (endpoint === 'away' ? 'away.invalid' : '127.0.0.1') : new URL(url).hostname;

const isAway = (request: Pick<PreparedRequest, 'url' | 'endpoint'>): boolean => hostOf(request).endsWith('.invalid');

const environmentPort = (ask?: EnvironmentPort['ask']): EnvironmentPort => ({
  value: () => VALUE,
  refusal: () => undefined,
  isAllowed: (name) => name === 'ALLOWED',
  destination: (request) => ({ host: hostOf(request), isHere: !isAway(request) }),
  ...(ask !== undefined && { ask }),
  sentHere: new Set(),
  hint: (name) => `Allow it with --allow-env ${name}.`,
});

const SIGNING: RunPorts['wallet'] = {
  address: async () => ok('11111111111111111111111111111112'),
  sign: async (_endpoint, message, names) => ok(() => ok({ message, signatures: names.map(() => new Uint8Array(64)) })),
  identity: async () => 'wallet',
};

interface Watched extends Ran {
  /** Texts that reached another machine or the workspace. */
  readonly outside: readonly string[];
}

/** A service here that repeats all it gets and keeps it, and one elsewhere; a workspace of files that can be read again. */
async function watch(text: string, environment: EnvironmentPort, setup: Setup = {}): Promise<Watched> {
  const written = new Map<string, string>();
  const outside: string[] = [];
  let state = '';
  const textOf = ({ body, headers, url }: PreparedRequest): string => JSON.stringify([body, headers, url]);
  const files: RunPorts['files'] = {
    read: async (path) =>
      path === './address.txt'
        ? ok(HERE)
        : ok(written.get(path) ?? (path.endsWith('.json') ? (path.startsWith('./__') ? '{}' : '[{"a":1}]') : 'cached')),
    mayWrite: async () => ok(undefined),
    async write(path, _from, content) {
      outside.push(path, typeof content === 'string' ? content : '');
      written.set(path, typeof content === 'string' ? content : '');
      return ok(undefined);
    },
  };
  const reply = (request: PreparedRequest): string => {
    if (isAway(request)) {
      outside.push(textOf(request));
      return `{"jsonrpc":"2.0","id":${request.ids[0] ?? 1},"result":{"value":null}}`;
    }
    const repeated = textOf(request);
    const was = state;
    state += repeated;
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      result: request.method === 'address' ? VALUE : `${was}${repeated}`,
    });
    return request.isBatch ? `[${body}]` : body;
  };
  const ran = await runText(text, {
    reply,
    ...setup,
    ports: {
      environment,
      files,
      stream: {
        async openStream(request) {
          if (isAway(request)) outside.push(textOf(request));
          return ok({
            async *messages() {
              yield { result: textOf(request) };
            },
            dropped: 0,
            close: async () => undefined,
          });
        },
      },
      wallet: SIGNING,
      ...setup.ports,
    },
  });
  return { ...ran, outside };
}

for (const [way, text, setup] of WAYS) {
  test(`Without permission nothing is sent where a variable could leave by ${way}`, async () => {
    const ran = await watch(text, environmentPort(), setup);
    assert.equal(ran.outcome.kind, 'invalid');
    assert.deepEqual(ran.sent, []);
    assert.match(JSON.stringify(ran.report), /environment variable V\b[^]*--allow-env V/);
    assert.deepEqual(ran.outside.filter(holdsValue), []);
  });

  test(`After a no, a variable does not leave by ${way}`, async () => {
    const asked: string[] = [];
    const ask: EnvironmentPort['ask'] = async (name) => asked.push(name) < 0;
    const ran = await watch(text, environmentPort(ask), setup);
    assert.equal(ran.outcome.kind, 'done');
    assert.deepEqual([...new Set(asked)], ['V']);
    assert.deepEqual(ran.outside.filter(holdsValue), []);
  });
}

test('A condition cannot read a variable of the environment', async () => {
  const text = `@x = {{$processEnv V}}\n### a\n# @if x startsWith "Vote"\nPOST ${AWAY}\n\n{ "method": "a" }\n`;
  const ran = await watch(
    text,
    environmentPort(async () => true),
  );
  assert.deepEqual([ran.report.summary.failed, ran.outside], [1, []]);
});

test('A look-up for a request goes to another host, which needs permission too', async () => {
  const ata = `### a\n# @name a\nPOST ${HERE}\n\n{ "method": "address", "params": ["{{$processEnv V}}"] }\n### b\n# @endpoint away\n@mint = {{a.result}}\nPOST ${HERE}\n\n{ "method": "a", "params": ["{{$ata $wallet mint}}"] }\n`;
  const simulated = `### a\n# @endpoint away\nPOST ${HERE}\n\n{ "method": "simulateTransaction", "params": [{ "$transaction": { "computeUnitLimit": "simulate", "instructions": [{ "memo": "{{$processEnv V}}" }] } }, { "encoding": "base64" }] }\n`;
  for (const text of [ata, simulated]) {
    const asked: unknown[] = [];
    const ran = await watch(
      text,
      environmentPort(async (_name, place) => asked.push(place) < 0),
    );
    assert.deepEqual(asked, [{ kind: 'host', host: 'away.invalid' }]);
    const unasked = await watch(text, environmentPort());
    for (const { outside, report } of [ran, unasked])
      assert.deepEqual([outside, report.requests.at(-1)?.error?.kind], [[], 'confirmation']);
  }
});

test('What a request elsewhere is made of may come from a service here that keeps a variable', async () => {
  const blockhash = async (request: PreparedRequest): Promise<string> =>
    `{"jsonrpc":"2.0","id":${request.ids[0] ?? 1},"result":{"value":{"blockhash":"${VALUE}","lastValidBlockHeight":1}}}`;
  const transfer = '{ "$transaction": { "instructions": [{ "memo": "a" }] } }';
  for (const made of ['"{{$memo a}}"', transfer]) {
    const text = `${STORE}### b\n# @name b\nPOST ${AWAY}\n\n{ "method": "simulateTransaction", "params": [${made}, { "encoding": "base64" }] }\n### c\nPOST https://elsewhere.invalid\n\n{ "method": "c", "params": ["{{b.result}}"] }\n`;
    for (const [agrees, kinds] of [
      [false, [undefined, 'confirmation', 'invalidRequest']],
      [true, [undefined, undefined, 'confirmation']],
    ] as const) {
      const ask: EnvironmentPort['ask'] = async (_name, place) =>
        agrees && place.kind === 'host' && place.host === 'away.invalid';
      const environment = environmentPort(ask);
      const ran = await watch(text, environment, { reply: blockhash });
      assert.deepEqual(
        ran.report.requests.map(({ error }) => error?.kind),
        kinds,
      );
    }
  }
});

test('What a person lets one host have is asked about again for the next, and for a file', async () => {
  const ask: EnvironmentPort['ask'] = async (_name, place) => place.kind === 'host' && place.host === 'away.invalid';
  const named = LEAK.replace('### leak', '### leak\n# @name leak');
  const next = '### next\nPOST https://elsewhere.invalid\n\n{ "method": "c", "params": ["{{leak.result}}"] }\n';
  for (const text of [
    `${STORE}${READ}${named}${next}`,
    `${STORE}${READ}${named}${next.replace(/https.*/, AWAY)}>> ./cache.txt\n`,
  ]) {
    const ran = await watch(text, environmentPort(ask));
    assert.deepEqual(
      ran.report.requests.map(({ error }) => error?.kind),
      [undefined, undefined, undefined, 'confirmation'],
    );
    assert.equal(ran.sent.length, 3);
  }
});

test('Texts of a file and of a profile are not read as references', async () => {
  const text = `### a\nPOST ${AWAY}\n\n{ "method": "a", "params": ["{{$file ./cache.txt}}", "{{p}}"] }\n`;
  const read = async () => ok('{{$processEnv V}}');
  const ran = await watch(text, environmentPort(), {
    profile: { p: '{{$processEnv V}}' },
    ports: { files: { read, mayWrite: async () => ok(undefined), write: async () => ok(undefined) } },
  });
  assert.equal(ran.outcome.kind, 'done');
  assert.deepEqual([ran.outside.length, ran.outside.filter(holdsValue)], [1, []]);
});

test('What one run has a service here keep does not leave by the next one', async () => {
  const environment = environmentPort();
  assert.equal((await watch(STORE, environment)).report.summary.passed, 1);
  for (const text of [`${READ}${LEAK}`, `${READ}>> ./cache.txt\n`]) {
    const ran = await watch(text, environment);
    assert.deepEqual([ran.outcome.kind, ran.sent], ['invalid', []]);
  }
  const other = await watch(`${READ}${LEAK}`, environmentPort());
  assert.equal(other.report.summary.passed, 2);
});

test('What another run stores while an answer comes is not saved with it', async () => {
  const environment = environmentPort();
  const reply = (request: PreparedRequest): string => {
    environment.sentHere.add('V');
    return `{"jsonrpc":"2.0","id":${request.ids[0] ?? 1},"result":"${VALUE}"}`;
  };
  const ran = await watch(`${READ}>> ./cache.txt\n`, environment, { reply });
  assert.equal(ran.report.requests[0]?.error?.kind, 'confirmation');
  assert.deepEqual(ran.outside, []);
});

test('A person is asked for each file, and a yes or an allowed name saves', async () => {
  const text = `${simple(`POST ${HERE}`)}>> ./{{$processEnv V}}.txt\n?? result matchesSnapshot\n`;
  const asked: unknown[] = [];
  const ask: EnvironmentPort['ask'] = async (...question) => asked.push(question.slice(0, 2)) > 0;
  const ran = await watch(text, environmentPort(ask), { updatesSnapshots: true });
  assert.equal(ran.report.summary.passed, 1);
  const file = (name: string): unknown => ['V', { kind: 'file', file: name }];
  assert.deepEqual(asked, [file(`./${VALUE}.txt`), file(`./${VALUE}.txt`), file('./__snapshots__/file.jsonrpc.json')]);
  assert.deepEqual(
    (
      await watch(
        text,
        environmentPort(async () => false),
      )
    ).sent,
    [],
  );
  const allowed = await watch(text.replaceAll('V}}', 'ALLOWED}}'), environmentPort(), { updatesSnapshots: true });
  assert.equal(allowed.report.summary.passed, 1);
  assert.equal(allowed.outside.length, 4);
});

test('Comparing with a snapshot needs no permission, and neither does an update that changes nothing', async () => {
  const text = `${simple(`# @name a\nPOST ${HERE}`)}?? id matchesSnapshot\n`;
  const read = async () => ok('{"a: id":1}');
  const files = { read, mayWrite: async () => ok(undefined), write: async () => ok(undefined) };
  const compared = await watch(text, environmentPort(), { ports: { files } });
  assert.equal(compared.report.summary.passed, 1);
  const updated = await watch(
    text,
    environmentPort(async () => false),
    { updatesSnapshots: true, ports: { files } },
  );
  assert.equal(updated.report.summary.passed, 1);
});

test('Answers that no variable can be in are saved and sent on as before', async () => {
  const away = `### away\n# @name away\nPOST ${AWAY}\n\n{ "method": "a" }\n>> ./away.txt\n`;
  const again = `### again\nPOST ${AWAY}\n\n{ "method": "a", "params": ["{{away.result}}"] }\n`;
  const kept = await watch(`${STORE}${away}${again}`, environmentPort());
  assert.equal(kept.report.summary.passed, 3);
  const here = await watch(`${READ}>> ./cache.txt\n${LEAK}${LEAK_FILE}`, environmentPort());
  assert.equal(here.report.summary.passed, 3);
});

test('The kept answer of an earlier run carries what its request names, and what services here were sent', async () => {
  const answer = answerOf({ durationMs: 0, headers: [], isBatch: false, body: { result: VALUE } });
  const kept = { id: '1', subject: '', used: [], at: 0, state: 'answered', load: async () => answer } as const;
  const references: References = {
    answers: { last: async () => kept, settled: async () => undefined, begin: () => () => undefined },
    describeEndpoint: () => '',
    endpointName: () => '',
    digest: () => '',
    newId: () => '2',
    allow: async () => new Set(),
    otherwise: 'stop',
  };
  const selection = { kind: 'lines', lines: [6] } as const;
  const environment = environmentPort(async () => false);
  const named = READ.replace('"getNote"', '"getNote", "params": ["{{$processEnv V}}"]');
  for (const text of [`${named}${LEAK}`, `${READ}${LEAK}`]) {
    const ran = await watch(text, environment, { references, selection });
    assert.deepEqual([ran.report.requests.length, ran.report.requests[0]?.error?.kind], [1, 'confirmation']);
    assert.deepEqual(ran.sent, []);
    environment.sentHere.add('V');
  }
});
