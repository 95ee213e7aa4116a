// The folder of --ledger and the file of --state as somebody else may have prepared them: links and pipes are refused and
// nothing they lead to is touched; files are the owner's alone; nothing of a transaction begins a line of the log.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs, {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { describe, mock, test } from 'node:test';
import type { Ledger, LedgerEvent } from '../../../localnet/node/open';
import { openToAppend, withOwnFile, replaceFile } from '../../../localnet/files';
import { LedgerFolder } from '../../../localnet/open/folder';
import { StateFile } from '../../../localnet/state/file';
import { draftOf } from '../../../process/leftovers';
import { testFolder } from '../../support/folder';

const NAMES: readonly string[] = [
  'validator.log',
  'vote-account-keypair.json',
  'stake-account-keypair.json',
  'validator-keypair.json',
  'faucet-keypair.json',
];
const STATE_NAMES: readonly string[] = ['workbench.state', 'workbench.state.lock'];

const root = testFolder('links');

/** A ledger's folder in which `make` has put something, and somebody else's file next to it. */
function prepared(make: (victim: string, folder: string) => void): {
  readonly folder: string;
  readonly victim: string;
} {
  const place = mkdtempSync(path.join(root, 'case-'));
  const [folder, victim] = [path.join(place, 'ledger'), path.join(place, 'authorized_keys')];
  mkdirSync(folder);
  writeFileSync(victim, 'mine\n', { mode: 0o644 });
  make(victim, folder);
  return { folder, victim };
}

/** Opens the files of a ledger as a start does. */
function opened(folder: string, isReset: boolean): void {
  const made = new LedgerFolder(folder, isReset);
  made.faucetSeed();
  StateFile.open(made.state, isReset);
}

describe('Refused, with nothing written:', () => {
  const linked = [...NAMES, ...STATE_NAMES].map(
    (name) =>
      [
        `${name} as a link`,
        name,
        (victim: string, place: string) => symlinkSync(victim, place),
        / is a link, which is not followed/,
      ] as const,
  );
  const others = [
    ['a log with a second name', 'validator.log', linkSync, /has a second name elsewhere/],
    [
      'a log that is a named pipe',
      'validator.log',
      (_: string, at: string) => void execFileSync('mkfifo', [at]),
      /is not a file/,
    ],
    [
      'a state that is a named pipe',
      'workbench.state',
      (_: string, at: string) => void execFileSync('mkfifo', [at]),
      /is not a file/,
    ],
  ] as const;
  for (const [what, name, make, said] of [...linked, ...others])
    for (const isReset of [false, true])
      test(`${what}${isReset ? ', with --reset' : ''}`, () => {
        const { folder, victim } = prepared((target, at) => make(target, path.join(at, name)));
        assert.throws(
          () => opened(folder, isReset),
          (error: Error) => error.name === 'StateFileError' && said.test(error.message),
        );
        assert.equal(readFileSync(victim, 'utf8'), 'mine\n');
        assert.equal(statSync(victim).mode & 0o777, 0o644);
        assert.deepEqual(readdirSync(folder), [name]);
      });

  test('a folder that is a link', () => {
    const { folder } = prepared((_, at) => symlinkSync(at, `${at}-link`));
    assert.throws(() => opened(`${folder}-link/`, false), /is a link, which is not followed; name the folder/);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('a folder on the way that leads out of its repository', () => {
    const { folder } = prepared(() => undefined);
    const repository = mkdtempSync(path.join(root, 'repository-'));
    mkdirSync(path.join(repository, '.git'));
    symlinkSync(folder, path.join(repository, 'out'));
    for (const open of [
      () => opened(path.join(repository, 'out', 'ledger'), false),
      () => StateFile.open(path.join(repository, 'out', 'workbench.state')),
    ])
      assert.throws(open, { name: 'StateFileError', message: /is reached through the link .+\/out,/ });
    assert.deepEqual(readdirSync(folder), []);
  });
});

test('a draft of a service that was killed is removed by the next service that writes there', () => {
  const { folder } = prepared(() => undefined);
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const draft = path.basename(draftOf(path.join(folder, 'none', 'a'))).replace(`-${process.pid}-`, `-${ended}-`);
  writeFileSync(path.join(folder, draft), '[1,2');
  replaceFile(path.join(folder, 'faucet-keypair.json'), '[]');
  assert.deepEqual(readdirSync(folder), ['faucet-keypair.json']);
});

/** Runs `action` as if each place had been a plain file when it was looked at, and a link when it was opened. */
function asIfLinkedLater(action: () => void): void {
  writeFileSync(path.join(root, 'plain'), '');
  const plain = lstatSync(path.join(root, 'plain'));
  const looked = mock.method(fs, 'lstatSync', () => plain);
  syncBuiltinESMExports();
  try {
    action();
    assert.ok(looked.mock.callCount() > 0);
  } finally {
    looked.mock.restore();
    syncBuiltinESMExports();
  }
}

describe('A link that appears between the look and the opening', () => {
  for (const [what, open] of [
    ['is not read through', (place: string) => withOwnFile(place, () => assert.fail('it was opened'))],
    ['is not written through', openToAppend],
  ] as const)
    test(what, () => {
      const { folder, victim } = prepared((target, at) => symlinkSync(target, path.join(at, 'linked')));
      asIfLinkedLater(() => assert.throws(() => open(path.join(folder, 'linked')), { code: 'ELOOP' }));
      assert.equal(statSync(victim).mode & 0o777, 0o644);
    });
});

describe('What is written', () => {
  const keys = { address: 'a', secretKey: new Uint8Array(64) };
  /** A ledger of which the folder uses the keys and the events. */
  function ledgerWith(tell: (listener: (event: LedgerEvent) => void) => void): Ledger {
    const validator = { faucet: keys, stake: keys, identity: keys, vote: keys };
    return { validator, events: { on: tell } } as unknown as Ledger;
  }

  test('is readable by its owner alone, also where a file was there before', () => {
    const { folder } = prepared((_, at) => {
      for (const name of ['vote-account-keypair.json', 'validator.log']) {
        writeFileSync(path.join(at, name), 'before\n');
        chmodSync(path.join(at, name), 0o644);
      }
    });
    const made = new LedgerFolder(folder, false);
    made.begin(
      ledgerWith(() => undefined),
      'hello',
    );
    made.close();
    for (const name of NAMES) assert.equal(statSync(path.join(folder, name)).mode & 0o777, 0o600, name);
    assert.match(readFileSync(path.join(folder, 'validator.log'), 'utf8'), /^before\n\[.+\] hello\n/);
    assert.equal(readdirSync(folder).length, 5);
  });

  test('has no line and no control character of a program', () => {
    const { folder } = prepared(() => undefined);
    const made = new LedgerFolder(folder, true);
    const hostile = 'Program log: \nssh-ed25519 AAAA attacker\r\u001b[2J\u009b\u202e\u{e0041}';
    const record = { slot: 5, signature: 's', meta: { err: null, logMessages: [hostile] } };
    made.begin(
      ledgerWith((listener) => listener({ kind: 'transaction', record } as unknown as LedgerEvent)),
      'hello',
    );
    made.close();
    const log = readFileSync(path.join(folder, 'validator.log'), 'utf8');
    assert.match(
      log,
      /\n {4}Program log: \\u000assh-ed25519 AAAA attacker\\u000d\\u001b\[2J\\u009b\\u202e\\u\{e0041\}\n/,
    );
    assert.doesNotMatch(log, /^ssh/m);
  });
});
