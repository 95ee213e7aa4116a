// Endpoint profiles of a window: which source keeps a name, which profile is active. Restarts, words and sizes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EndpointChoice, type FolderMemory } from '../../../client/profiles/endpointChoice';
import { activeName, chosenName } from '../../../client/profiles/profileList';
import type { EndpointProfile } from '../../../core/service/profiles/profile';
import { mergeProfiles } from '../../../core/service/profiles/profileReader';
import { RestartBudget } from '../../../client/server/restarts';
import { ends, plain, sizeText } from '../../../client/shared/words';

const merge = (user: readonly EndpointProfile[], local: EndpointProfile | undefined, own: readonly EndpointProfile[]) =>
  mergeProfiles(
    user.map((profile) => ({ profile })),
    local,
    own.map((profile) => ({ profile })),
  );

test('the user keeps a name, the workspace’s profile of the same name says where it is from', () => {
  const merged = merge([{ name: 'main' }], { name: 'local' }, [{ name: 'main' }, { name: 'own' }]);
  assert.deepEqual(
    merged.map(({ profile, source }) => [profile.name, source]),
    [
      ['main', 'user'],
      ['local', 'local'],
      ['main (workspace)', 'workspace'],
      ['own', 'workspace'],
    ],
  );
});

test('the setting names the active profile, then the workspace’s file, then what is there', () => {
  const all = merge([{ name: 'a' }], { name: 'local' }, [{ name: 'b' }]);
  assert.equal(activeName(all, 'a', 'b'), 'a');
  assert.equal(activeName(all, undefined, 'b'), 'b');
  assert.equal(activeName(all, '', 'b'), 'b');
  assert.equal(activeName(all, undefined, undefined), 'local');
  assert.equal(activeName(merge([{ name: 'a' }], undefined, []), undefined, undefined), 'a');
  assert.equal(activeName([], undefined, undefined), undefined);
});

/** A state of the editor. */
function stateOf(): ConstructorParameters<typeof EndpointChoice>[0] {
  const kept = new Map<string, unknown>();
  return {
    get: <T>(key: string, unset?: T) => (kept.get(key) ?? unset) as T,
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  };
}

/** The choice by a window's own state and the setting. */
const choiceOver = (setting: { value: string | undefined }, folder?: FolderMemory): EndpointChoice =>
  new EndpointChoice(stateOf(), () => setting.value, folder);

test('the choice of a window outranks the setting until the setting is edited', async () => {
  const setting: { value: string | undefined } = { value: undefined };
  const choice = choiceOver(setting);
  assert.equal(choice.name, undefined);
  await choice.choose('a');
  assert.equal(choice.name, 'a');
  setting.value = 'b';
  assert.equal(choice.name, 'b');
  await choice.choose('c');
  assert.equal(choice.name, 'c');
  await choice.forget('a');
  assert.equal(choice.name, 'c');
  await choice.forget('c');
  assert.equal(choice.name, 'b');
});

test('a window begins with what was chosen last on its folder, and each continues by itself', async () => {
  const setting: { value: string | undefined } = { value: undefined };
  const memory = stateOf();
  const open = (place: string): EndpointChoice => choiceOver(setting, { memory, place });
  const first = open('/a');
  const beside = open('/a');
  await first.choose('main');
  assert.equal(beside.name, undefined);
  const later = open('/a');
  assert.equal(later.name, 'main');
  assert.equal(open('/b').name, undefined);
  await later.choose('test');
  assert.deepEqual([first.name, later.name, open('/a').name], ['main', 'test', 'test']);
  setting.value = 'set';
  assert.equal(open('/a').name, 'set');
  setting.value = undefined;
  const last = open('/a');
  await last.forget('test');
  assert.deepEqual([last.name, open('/a').name], [undefined, undefined]);
  for (let folder = 0; folder < 150; folder++) await open(`/${folder}`).choose('one');
  assert.deepEqual([open('/0').name, open('/149').name], [undefined, 'one']);
});

test('a chosen profile that is not there leaves none active: nothing meant for it goes to another', () => {
  const all = merge([{ name: 'a' }], undefined, [{ name: 'b' }]);
  assert.equal(activeName(all, 'local', 'b'), undefined);
  assert.equal(activeName(all, undefined, 'gone'), undefined);
  assert.equal(chosenName('local', 'b'), 'local');
  assert.equal(chosenName('', undefined), undefined);
});

test('a process comes back after four ends in three minutes, and stays away after the fifth', () => {
  const budget = new RestartBudget();
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((minute) => budget.spend(minute * 10_000)),
    [true, true, true, true, false],
  );
  budget.reset();
  assert.equal(budget.spend(50_000), true);
});

test('ends that are further apart than three minutes do not add up', () => {
  const budget = new RestartBudget();
  for (let end = 0; end < 20; end++) assert.equal(budget.spend(end * 60_000), true, String(end));
});

test('words from outside draw no icon and turn no text around', () => {
  assert.equal(plain('$(alert) a\u202eb\u0000'), '$\u200b(alert) a b ');
});

test('a label keeps an emoji whole, even of several characters, and drops a part of one', () => {
  for (const emoji of ['❤️', '👨‍👩‍👧', '🏳️‍🌈', '1️⃣', '👍🏽']) assert.equal(plain(`a ${emoji} b`), `a ${emoji} b`);
  assert.equal(plain('a\ufe0fb\u200dc \ud83d'), 'a b c  ');
});

test('words from outside make no link in a message, no second line, and no endless label', () => {
  assert.equal(plain('[mend](command:workbench.action.quit)'), '[mend]\u200b(command:workbench.action.quit)');
  assert.equal(plain('one\r\ntwo\u2028three\u2029four'), 'one  two three four');
  assert.equal(plain('x'.repeat(1_000_000)).length, 1_000);
});

test('a long word is shortened to its two ends, a short one shown whole', () => {
  assert.equal(ends('SysvarC1ock11111111111111111111111111111111', 11), 'Sysva…11111');
  assert.equal(ends('short', 11), 'short');
});

test('sizes read in the unit that fits', () => {
  assert.deepEqual([999, 1_000, 2_500_000].map(sizeText), ['999 B', '1.0 kB', '2.5 MB']);
});
