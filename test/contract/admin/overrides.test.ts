// Overrides over the admin interface: a program that is there is replaced by another one's code, also for good.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { member } from '../../../core/solana/json/json';
import { startTestLedger, type Localnet, walletOf } from '../../support/process/localnet';
import { counterProgram } from '../open/open-counter';
import { compile, freshKey, MEMO, memo, signTransaction, toBase64 } from '../rpc/rpc-harness';
import { testFolder } from '../../support/folder';

const folder = testFolder('overrides');

/** The log of a simulated call of the program, as if it were the memo program. */
async function logsOf(local: Localnet, program: string): Promise<string> {
  const wallet = walletOf(local.ready);
  const latest = member((await local.rpc('getLatestBlockhash')).json, 'result');
  const hash = member(member(latest, 'value'), 'blockhash');
  assert.ok(typeof hash === 'string');
  const wire = toBase64(signTransaction(compile([{ ...memo('overridden'), program }], [wallet], hash), [wallet]));
  return (await local.rpc('simulateTransaction', [wire, { encoding: 'base64' }])).text;
}

test('loadProgram replaces a program of the upgradeable loader, and the state keeps it', async () => {
  const [program, state, elf] = [freshKey().address, path.join(folder, 'state'), path.join(folder, 'counter.so')];
  writeFileSync(elf, counterProgram());
  let local = await startTestLedger(['--state', state, '--bpf-program', program, elf]);
  assert.doesNotMatch(await logsOf(local, program), /overridden/);
  const { text } = await local.rpc('getAccountInfo', [MEMO, { encoding: 'base64' }]);
  await local.cheat('loadProgram', { address: program, elf: /"data":\["([^"]+)"/.exec(text)?.[1] });
  assert.match(await logsOf(local, program), /Memo \(len 10\).*overridden/);
  await local.stop();
  local = await startTestLedger(['--state', state, '--bpf-program', program, elf]);
  assert.match(await logsOf(local, program), /Memo \(len 10\).*overridden/);
  await local.cheat('reset');
  assert.doesNotMatch(await logsOf(local, program), /overridden/);
  await local.stop();
});
