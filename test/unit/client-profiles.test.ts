// Endpoint profiles from settings, workspace and local service: what is read, who keeps a name, which one is active.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activeName, chosenName, mergeProfiles, readProfiles } from '../../client/profileList';
import { RestartBudget } from '../../client/restarts';
import { ends, plain, sizeText } from '../../client/words';

test('a profile is taken apart member by member: what is not known does not pass', () => {
  const [profile] = readProfiles([
    { name: ' main ', rpcUrl: 'https://a.test/sol', key: 'SECRET', plan: 'Gold', auth: { rpc: 'query', ws: 'magic' } },
  ]);
  assert.deepEqual(profile, { name: 'main', rpcUrl: 'https://a.test/sol', auth: { rpc: 'query' } });
});

test('what is no list, no object or has no name is no profile', () => {
  assert.deepEqual(readProfiles({ name: 'x' }), []);
  assert.deepEqual(readProfiles([null, 'x', 1, [], {}, { name: '' }, { name: 5 }]), []);
});

test('the user keeps a name, the workspace’s profile of the same name says where it is from', () => {
  const merged = mergeProfiles([{ name: 'main' }], { name: 'local' }, [{ name: 'main' }, { name: 'own' }]);
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
  const all = mergeProfiles([{ name: 'a' }], { name: 'local' }, [{ name: 'b' }]);
  assert.equal(activeName(all, 'a', 'b'), 'a');
  assert.equal(activeName(all, undefined, 'b'), 'b');
  assert.equal(activeName(all, '', 'b'), 'b');
  assert.equal(activeName(all, undefined, undefined), 'local');
  assert.equal(activeName(mergeProfiles([{ name: 'a' }], undefined, []), undefined, undefined), 'a');
  assert.equal(activeName([], undefined, undefined), undefined);
});

test('a chosen profile that is not there leaves none active: nothing meant for it goes to another', () => {
  const all = mergeProfiles([{ name: 'a' }], undefined, [{ name: 'b' }]);
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

test('words from outside make no link in a message, no second line, and no endless label', () => {
  assert.equal(plain('[mend](command:workbench.action.quit)'), '[mend]\u200b(command:workbench.action.quit)');
  assert.equal(plain('one\r\ntwo\u2028three\u2029four'), 'one  two three four');
  assert.equal(plain('x'.repeat(1_000_000)).length, 1_001);
});

test('a long word is told by its two ends, a short one whole', () => {
  assert.equal(ends('SysvarC1ock11111111111111111111111111111111', 11), 'Sysva…11111');
  assert.equal(ends('short', 11), 'short');
});

test('sizes read in the unit that fits', () => {
  assert.deepEqual([999, 1_000, 2_500_000].map(sizeText), ['999 B', '1.0 kB', '2.5 MB']);
});
