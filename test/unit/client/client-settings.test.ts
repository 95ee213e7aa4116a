// The reading of our settings, over an editor with values of a workspace and of the user.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_SETTINGS } from '../../../protocol/settings';
import type * as Read from '../../../client/shared/settings';
import { loadOver } from '../../support/editor/fakeVscode';

interface Values {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
}
let values: Readonly<Record<string, Values>> = {};
const written: (readonly unknown[])[] = [];
const editor = {
  ConfigurationTarget: { Global: 1 },
  workspace: {
    getConfiguration: () => ({
      inspect: (name: string) => values[name],
      get(name: string) {
        const { defaultValue, globalValue = defaultValue, workspaceValue = globalValue } = values[name] ?? {};
        return workspaceValue;
      },
      update: (...update: readonly unknown[]) => written.push(update),
    }),
  },
};
const { ownSetting, ownValue, serverSettings, setting, writeOwn } = loadOver<typeof Read>(
  editor,
  '../../../client/shared/settings',
  __filename,
);

test('a setting has the value of its workspace, else of the user, else its default', () => {
  values = { packs: { defaultValue: [], globalValue: ['das'], workspaceValue: ['jito'] } };
  assert.deepEqual(setting('packs'), ['jito']);
  values = { packs: { defaultValue: [], globalValue: ['das'] } };
  assert.deepEqual(setting('packs'), ['das']);
  values = { packs: { defaultValue: [] } };
  assert.deepEqual(setting('packs'), []);
});

test('a value of another type counts as unset', () => {
  for (const globalValue of ['das', 7, null, { das: true }]) {
    values = { packs: { defaultValue: [], globalValue }, wallets: { defaultValue: {}, globalValue: ['a'] } };
    assert.deepEqual(setting('packs'), []);
    assert.deepEqual(ownSetting('wallets'), {});
  }
});

test('a setting of the user has no value of a workspace', () => {
  const workspaceValue = { devnet: '/planted.json' };
  values = { wallets: { defaultValue: {}, workspaceValue }, endpoints: { defaultValue: [], workspaceValue: [{}] } };
  assert.deepEqual(ownSetting('wallets'), {});
  assert.equal(ownValue('endpoints'), undefined);
  values = { wallets: { defaultValue: {}, workspaceValue, globalValue: { devnet: '/own.json' } } };
  assert.deepEqual(ownSetting('wallets'), { devnet: '/own.json' });
});

test('the server gets every setting that it needs, those of the user from the user alone', () => {
  values = Object.fromEntries(Object.entries(DEFAULT_SETTINGS).map(([name, defaultValue]) => [name, { defaultValue }]));
  assert.deepEqual(serverSettings(), DEFAULT_SETTINGS);
  values = {
    ...values,
    allowedEnvironment: { defaultValue: [], workspaceValue: ['PLANTED'] },
    'inlayHints.units': { defaultValue: true, workspaceValue: false },
  };
  assert.deepEqual(serverSettings(), { ...DEFAULT_SETTINGS, 'inlayHints.units': false });
});

test('a value is written to the settings of the user', async () => {
  await writeOwn('endpoint', 'devnet');
  assert.deepEqual(written, [['endpoint', 'devnet', editor.ConfigurationTarget.Global]]);
});
