// The rules of a method that look at more than one parameter.
import { member, type JsonValue } from '../../../solana/json/json';
import { MAX_BLOCK_RANGE } from '../records/blocks';
import type { Reporter } from '../reporter';
import type { CrossRule } from '../types';
import { checkAccountFilters, checkedU64 } from './accountFilters';

/** `params`: all parameters of the call. */
export function applyRule(report: Reporter, rule: CrossRule, params: readonly JsonValue[]): void {
  switch (rule) {
    case 'blockRange': {
      const first = checkedU64(params[0]);
      const last = checkedU64(params[1]);
      if (first === undefined || last === undefined) return;
      const place = { parent: undefined, step: 1 };
      if (last < first) {
        const message = `The range ends before it begins at slot ${first}: the answer is an empty list.`;
        report.value('empty-answer', place, message, [{ kind: 'swap', with: [0] }]);
      } else if (last - first > BigInt(MAX_BLOCK_RANGE)) {
        const message = `The range spans ${last - first} slots; at most ${MAX_BLOCK_RANGE} are allowed.`;
        report.value('out-of-range', place, message);
      }
      return;
    }
    case 'slotRange': {
      const range = member(params[0], 'range');
      const first = checkedU64(member(range, 'firstSlot'));
      const last = checkedU64(member(range, 'lastSlot'));
      if (first === undefined || last === undefined || last >= first) return;
      const place = { parent: { parent: { parent: undefined, step: 0 }, step: 'range' }, step: 'lastSlot' };
      report.value('out-of-range', place, `lastSlot is before firstSlot: expected ${first} or more.`, [
        { kind: 'swap', with: [0, 'range', 'firstSlot'] },
      ]);
      return;
    }
    case 'accountFilters': {
      const place = { parent: { parent: undefined, step: 1 }, step: 'filters' };
      checkAccountFilters(report, member(params[1], 'filters'), place, params[0]);
      return;
    }
  }
}
