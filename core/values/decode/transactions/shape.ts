// What a table says of an instruction.
import type { Row } from '../accounts/layout';

export interface InstructionShape {
  readonly name: string;
  /** In the order of the account list; one that ends with dots stands for all that follow. */
  readonly roles: readonly string[];
  readonly rows: readonly Row[];
  /** Instructions told apart by a second number, in the next byte. */
  readonly inner?: readonly InstructionShape[];
}

/** How a program's instructions are told apart: by a number in the first bytes, or the whole is one instruction. */
export type ProgramShape =
  | { readonly kind: 'numbered'; readonly width: 1 | 4; readonly shapes: readonly InstructionShape[] }
  | { readonly kind: 'single'; readonly shape: InstructionShape };

/** `roles`: words parted by blanks. */
export const shape = (name: string, roles: string, ...rows: readonly Row[]): InstructionShape => ({
  name,
  roles: roles === '' ? [] : roles.split(' '),
  rows,
});
