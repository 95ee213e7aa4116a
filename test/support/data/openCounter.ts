// The counter program as its author would mend it: somebody else's increment ends well, and changes nothing.
import { counterProgram } from '../../contract/open/open-counter';

/** `mov r0, 2001`: the result where another authority signs. */
const REFUSAL = Buffer.from([0xb7, 0, 0, 0, 0xd1, 0x07, 0, 0]);

export function openCounterProgram(): Buffer {
  const elf = Buffer.from(counterProgram());
  const at = elf.indexOf(REFUSAL);
  if (at < 0) throw new Error('The program has another way to refuse');
  elf.writeUInt32LE(0, at + 4);
  return elf;
}
