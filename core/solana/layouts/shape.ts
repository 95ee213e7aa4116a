// The tables' descriptions of instructions.
import type { LayoutRow } from './layout';

export interface InstructionShape {
  readonly name: string;
  /** In the order of the account list; a name that ends with dots applies to all remaining accounts. */
  readonly roles: readonly string[];
  /** The roles whose accounts may be left out. */
  readonly optional: readonly string[];
  readonly rows: readonly LayoutRow[];
  /** Instructions distinguished by a second number, in the next byte. */
  readonly inner?: readonly InstructionShape[];
}

/** How a program's instructions are distinguished: by a number in the first bytes, or there is only one. */
export type ProgramShape =
  | { readonly kind: 'numbered'; readonly width: 1 | 4; readonly shapes: readonly (InstructionShape | undefined)[] }
  | { readonly kind: 'single'; readonly shape: InstructionShape };

/** `roles`: words parted by blanks; `?` ends those whose account may be left out. */
export function shape(name: string, roles: string, ...rows: readonly LayoutRow[]): InstructionShape {
  const words = roles === '' ? [] : roles.split(' ');
  const optional = words.filter((role) => role.endsWith('?')).map((role) => role.slice(0, -1));
  return { name, roles: words.map((role) => role.replace('?', '')), optional, rows };
}

/** Several instructions of the same program in one, as p-token's: of each the number of accounts and of bytes, then the bytes. */
export const BATCH: InstructionShape = shape('batch', '');
