// The last guard of requests that may turn out to send a transaction: without an agreement it is not sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runText } from '../../support/process/run';
import type { PlacedBlock } from '../../../core/requests/document/model';
import type { References } from '../../../runner/references';

const TEXT =
  '### a\n# @name a\n# @prompt m The method\n{ "method": "{{m}}" }\n### b\n{ "method": "getBlock", "params": ["{{a.result}}"] }\n';

const UNUSED: References = {
  answers: { last: async () => undefined, settled: async () => undefined, begin: () => () => undefined },
  describeEndpoint: () => '',
  endpointName: () => '',
  digest: () => '',
  newId: () => '1',
  allow: async (requests) => new Set(requests.map(({ at }) => at.placed)),
  otherwise: 'stop',
};

/** The requests that a run sends if its user answers the prompt like this, having withdrawn consent by then. */
async function sentWith(method: string) {
  const agreed = new Set<PlacedBlock>();
  const references: References = {
    ...UNUSED,
    async allow(requests) {
      for (const { at } of requests) agreed.add(at.placed);
      return agreed;
    },
  };
  const prompt = async (): Promise<string> => {
    agreed.clear();
    return method;
  };
  const ran = await runText(TEXT, { references, selection: { kind: 'lines', lines: [5] }, ports: { prompt } });
  return { error: ran.report.requests[0]?.error?.kind, sent: ran.sent.map((request) => request.method) };
}

test('the answer of a request with a URL is one of the ledger there, as far as it is known', async () => {
  const described: (string | undefined)[] = [];
  const describeEndpoint: References['describeEndpoint'] = (_, own) => {
    described.push(own);
    return '';
  };
  const text =
    '@host = http://127.0.0.1:8899\n### a\nPOST {{host}}/sol\n\n{ "method": "getSlot" }\n### b\n{ "method": "getSlot" }\n';
  const named = text.replaceAll(/### (.)/g, '### $1\n# @name $1');
  await runText(named, { references: { ...UNUSED, describeEndpoint } });
  assert.deepEqual(described, ['http://127.0.0.1:8899/sol', undefined]);
});

test('a request that turns out to send a transaction without consent is not sent', async () => {
  assert.deepEqual(await sentWith('sendTransaction'), { error: 'confirmation', sent: [] });
  assert.deepEqual(await sentWith('getSlot'), { error: undefined, sent: ['getSlot', 'getBlock'] });
});
