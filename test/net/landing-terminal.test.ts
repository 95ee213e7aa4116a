// A transaction that a run in the terminal sends and follows, over the real transports, on local services whose slots the
// test ends: the landing has the steps of the chain that an answer of the same run showed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPorts } from '../../cli/session/ports';
import { parseDocument } from '../../core/requests/document/document';
import { Chains } from '../../core/requests/run/chains';
import { landingText } from '../../core/requests/run/landing';
import { decodeBase58 } from '../../core/solana/encoding/base58';
import { encodeBase64 } from '../../core/solana/encoding/base64';
import { member } from '../../core/solana/json/json';
import { attachSignature, memoMessage } from '../../core/solana/wire/message';
import { SEED, signEd25519 } from '../../process/ed25519';
import type { RunProgress } from '../../runner/ports';
import { run, type RunOutcome } from '../../runner/run';
import { startTestLedger, type Localnet } from '../support/process/localnet';
import { waiting } from '../support/waiting';
import { keysOf, withNet } from '../support/wire/wire';

const CERTIFICATE = '### Migrated\nPOST\n{"method":"getAgGenesisCert"}\n';

/** A memo that the funded wallet signed. */
async function signedMemo(local: Localnet): Promise<string> {
  const { address, secretKey } = local.ready.wallet;
  const { json } = await local.rpc('getLatestBlockhash');
  const blockhash = member(member(member(json, 'result'), 'value'), 'blockhash');
  assert.ok(typeof blockhash === 'string');
  const built = memoMessage({ from: address, text: 'sent', blockhash });
  assert.ok(built.ok);
  const signature = signEd25519(decodeBase58(secretKey) ?? new Uint8Array(2 * SEED), built.message);
  return encodeBase64(attachSignature(built.message, signature));
}

/** Runs a file as the terminal does: its requests `before`, then a send that is followed. */
async function landed(local: Localnet, before: string): Promise<string> {
  const { rpcUrl, wsUrl, keys } = local.ready;
  const placed = { profile: { name: 'local', rpcUrl, wsUrl, swqosUrl: rpcUrl }, source: 'local' } as const;
  const wire = await signedMemo(local);
  const text = `${before}### Send\nSWQOS\n{"method":"sendTransaction","params":["${wire}",{"encoding":"base64","skipPreflight":true}]}\n`;
  return withNet({ keys: keysOf({ rpc: keys.rpc.key, swqos: keys.swqos.key }) }, async (net) => {
    let looks = 0;
    let onLook = (): void => undefined;
    let onLanding = (_level: string | undefined): void => undefined;
    const ports = createPorts({
      net: {
        ...net,
        open: net.open.bind(net),
        async call(target, request, options) {
          const answer = await net.call(target, request, options);
          if (request.method === 'getSignatureStatuses') looks++;
          // After the watch has read it.
          setImmediate(() => onLook());
          return answer;
        },
      },
      find: () => placed,
      known: [placed],
      workspace: process.cwd(),
      spillFile: () => assert.fail('No answer of these is large.'),
      environment: {},
      extraEnvironment: new Map(),
      allowedEnvironment: new Set(),
      yes: false,
      localWallet: undefined,
      wallets: new Map(),
      onProgress: (event: RunProgress) => {
        if (event.kind === 'landing') onLanding(event.report.landing?.level);
      },
      chains: new Chains(),
      signal: new AbortController().signal,
    });
    const running = run(
      {
        files: [parseDocument('a.jsonrpc', 1, text)],
        selection: { kind: 'all' },
        imports: { documentOf: () => undefined },
        variables: new Map(),
        profileVariables: () => new Map(),
        endpoint: 'local',
        defaultTimeoutMs: 30_000,
        defaultUntil: undefined,
        bail: false,
      },
      ports,
      new AbortController().signal,
    );
    await waiting('the subscription', () => new Promise<void>((resolve) => (onLook = () => looks >= 2 && resolve())));
    const isSettled = waiting(
      'the first settled level',
      () => new Promise<void>((resolve) => (onLanding = (level) => level !== 'processed' && resolve())),
    );
    await local.slotsUntil(isSettled);
    const outcome = await local.slotsUntil<RunOutcome>(running);
    assert.ok(outcome.kind === 'done' && outcome.report.ok, JSON.stringify(outcome));
    const landing = outcome.report.requests.at(-1)?.landing;
    assert.ok(landing !== undefined);
    return landingText(landing);
  });
}

const TOWER = ['--consensus', 'tower', '--agave', '4.4'];

for (const [what, args, before, steps] of [
  [
    'TowerBFT by the certificate that the run read',
    TOWER,
    CERTIFICATE,
    /^confirmed after \d.*, finalized after .*, slot \d/,
  ],
  ['Alpenglow by the certificate that the run read', [], CERTIFICATE, /^finalized after \d.*, slot \d/],
  [
    'an unknown chain after a certificate of another URL',
    TOWER,
    'elsewhere',
    /^(?!.*confirmed after \d).*finalized after/,
  ],
] as const)
  test(`a landing has the steps of ${what}`, async (t) => {
    const local = await startTestLedger([...args], { clock: 'slots' });
    t.after(() => local.stop());
    await local.slots(40);
    const elsewhere = CERTIFICATE.replace('POST', `POST ${local.ready.rpcUrl}`);
    assert.match(await landed(local, before.replace('elsewhere', elsewhere)), steps);
  });
