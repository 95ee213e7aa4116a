// The methods of a file with the IDLs that its transactions are checked against: one table while neither has changed, so
// that what was found with it is kept.
import type { MethodTable } from '../../core/requests/methods';
import type { PlacedIdl } from '../../core/solana/decode/idl/registry';
import { NO_PROGRAMS, type Programs } from '../../core/solana/decode/decoded';
import type { Idls } from '../idls/idls';

export class ProgramTable {
  #read: readonly PlacedIdl[] = [];
  #programs: Programs | undefined;
  #table: { readonly from: MethodTable; readonly programs: Programs; readonly merged: MethodTable } | undefined;

  constructor(
    private readonly idls: Pick<Idls, 'known'>,
    private readonly isTrusted: () => boolean,
  ) {}

  /** Reads the IDLs if they may have changed; those of a window that is not trusted are not known. */
  async load(): Promise<void> {
    if (!this.isTrusted()) {
      this.#programs = undefined;
      return;
    }
    const { workspace, published } = await this.idls.known();
    const all = [...published.map(({ idl }) => idl), ...workspace];
    const isSame = all.length === this.#read.length && all.every(({ idl }, at) => idl === this.#read[at]?.idl);
    if (this.#programs !== undefined && isSame) return;
    const { programsOf } = await import('../../core/solana/decode/idl/registry');
    this.#read = all;
    this.#programs = programsOf(all);
  }

  /** The programs for explaining transactions. */
  async known(): Promise<Programs> {
    await this.load();
    return this.#programs ?? NO_PROGRAMS;
  }

  /** These methods with the IDLs that were read last. */
  with(methods: MethodTable): MethodTable {
    const programs = this.#programs;
    if (programs === undefined) return methods;
    if (this.#table?.from !== methods || this.#table.programs !== programs)
      this.#table = { from: methods, programs, merged: methods.withPrograms(programs) };
    return this.#table.merged;
  }
}
