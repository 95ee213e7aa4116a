// A response that is held as text is parsed once for all of its readers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextBody } from '../../../core/service/response/textBody';
import { ok } from '../../../core/service/errors';
import { parseJson } from '../../../core/solana/json/json';
import { KeptAnswers } from '../../../runner/keptAnswers';
import { Results } from '../../../server/responses/results';
import { LastAnswers } from '../../../server/run/answers';
import { OUTCOME } from '../../support/data/outcome';
import { exchange, runText } from '../../support/process/run';
import { testFolder } from '../../support/folder';

const REPLY = '{"jsonrpc":"2.0","id":1,"result":{"slot":18446744073709551615,"list":[1,2,3]}}';

test('references, assertions, captures, what is kept and the saved response read one parsed body', async (t) => {
  let parses = 0;
  const body = new TextBody(REPLY, (text) => {
    parses++;
    return parseJson(text);
  });
  const text = [
    '### a\n# @name a\n# @retry 1 every 1s while result.slot == null\n{"method":"a"}',
    '?? result.slot == 18446744073709551615\n?? result.list length 3\n>> saved.json',
    '### b\n@slot = {{a.result.slot}}\n{"method":"b","params":["{{slot}}", "{{a.result.list}}"]}',
  ].join('\n');
  const ran = await runText(text, {
    ports: {
      send: async (request) =>
        ok(request.method === 'a' ? { ...exchange(REPLY), body } : exchange(`{"id":2,"result":${request.body}}`)),
    },
  });
  assert.deepEqual(
    ran.report.requests.map(({ status }) => status),
    ['passed', 'passed'],
  );
  assert.deepEqual([...ran.written.keys()], ['saved.json']);
  const [report] = ran.report.requests;
  assert.ok(report);
  const redact = (plain: string): string => plain;
  const last = new LastAnswers(redact, () => undefined);
  last.keep(report);
  assert.equal(last.lastAnswer('file.jsonrpc', 'a')?.body, body.value);
  const kept = new KeptAnswers({ redact, now: () => 0 });
  const key = { file: 'file.jsonrpc', name: 'a', endpoint: '' };
  kept.keep(key, report, { id: '1', subject: '', used: [] });
  assert.equal((await kept.recent(key)?.load())?.body, body.value);
  const folder = testFolder('solana-rpc-parsed', t);
  const results = new Results(folder, redact);
  await results.save('a#a', body, OUTCOME);
  await results.settled();
  assert.equal(parses, 1);
});

test('a body that is not JSON is read once, too', () => {
  let parses = 0;
  const body = new TextBody('<html>', (text) => {
    parses++;
    return parseJson(text);
  });
  assert.deepEqual([body.value, body.value, parses], [undefined, undefined, 1]);
});
