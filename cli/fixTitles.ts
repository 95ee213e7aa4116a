// What could be done about a diagnostic, as titles: `check --json` lists them beside it.
import { printJson } from '../core/values/json';
import type { Problem } from '../core/document/model';
import type { FixData } from '../core/language/problem';
import type { Fix } from '../core/methods/problems';

const BY_CODE: Readonly<Record<string, string>> = {
  'second-body': 'Start a new request',
  'stray-text': 'Start a new request',
  'trailing-comma': 'Remove the comma',
  'bare-variable': 'Put the variable in quotes',
  'secret-in-file': 'Move it to secret storage',
};

export function fixTitles({ code, data }: Problem): readonly string[] {
  const known = data as FixData | undefined;
  switch (known?.kind) {
    case 'rename':
      return known.names.map((name) => `Change to "${name}"`);
    case 'call':
      return known.fixes.map(titleOf);
    case undefined: {
      const title = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
      return title === undefined ? [] : [title];
    }
  }
}

function titleOf(fix: Fix): string {
  switch (fix.kind) {
    case 'replace':
      return `Change to ${printJson(fix.value)}`;
    case 'rename':
      return `Change to "${fix.name}"`;
    case 'remove':
      return 'Remove it';
    case 'set':
      return `Set ${Object.keys(fix.members).join(', ')}`;
    case 'positional':
      return 'Write the parameters by position';
  }
}
