// docs/providers.md is the page made from the table, and every address on it is read as the page says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { URL_OF, type Interface } from '../../../core/service/profiles/profile';
import { readAddress } from '../../../core/service/providers/address';
import { providersReference } from '../../../core/service/providers/reference';
import { PROVIDERS } from '../../../core/service/providers/table';
import { assertMade } from '../../support/pages/madePage';

const KEY = '3f7a9c1e5b2d48f6a0c4e8b1d7f3952a';

test('the page is the one made from the table', () => {
  assertMade('docs/providers.md', providersReference());
});

for (const { id, name, forms, notes } of PROVIDERS)
  test(`${name}: what the page shows can be pasted, with a key and as it is written`, () => {
    assert.ok(notes.length > 0, '`notes` say what to paste');
    for (const { addresses, values, knownBy } of forms)
      for (const [face, { url }] of Object.entries(addresses) as [Interface, { url: string }][]) {
        if (knownBy?.includes(face) === false) continue;
        const address = url.replace(/\{(\w+)\}/g, (all, one: string) =>
          one === 'key' ? all : (values?.[one]?.[0] ?? (one === 'host' ? 'node.example' : 'blue')),
        );
        const pasted = readAddress(address.replace('{key}', KEY));
        assert.equal(pasted?.provider?.id, id, address);
        assert.equal(
          pasted?.profile[URL_OF[face]],
          address.replace(/^(https|wss)(:\/\/node.example:)/, '$1$2'),
          address,
        );
        assert.deepEqual(readAddress(address)?.profile, pasted?.profile, address);
      }
  });
