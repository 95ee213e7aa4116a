// Two tables of the plans, written apart: what requests are paced by, and what the local service enforces.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLANS as PACED } from '../../../core/service/profiles/planLimits';
import { PLANS as ENFORCED } from '../../../localnet/keys/plans';

test('requests are paced by the limits that the service enforces', () => {
  assert.deepEqual(PACED, ENFORCED);
});
