// The IDLs at hand, by program.
import type { Decoded, Programs } from '../decoded';
import { decodeRecord, recordOf } from './decode';
import { ENCODER } from './encoder';
import type { Idl } from './model';

/** An IDL with the program it is of, where somebody else than its file says so: its file's name, or the chain. */
export interface PlacedIdl {
  readonly idl: Idl;
  readonly program?: string;
}

/** Of two IDLs of one program the later one wins. An IDL without a program is not used. */
export function programsOf(idls: readonly PlacedIdl[], decimals?: Programs['decimals']): Programs {
  const byProgram = new Map<string, Idl>();
  for (const { idl, program } of idls) {
    const address = program ?? idl.address;
    if (address !== undefined) byProgram.set(address, idl);
  }
  return {
    idl: (program) => byProgram.get(program),
    all: () => byProgram,
    encoder: ENCODER,
    ...(decimals === undefined ? {} : { decimals }),
  };
}

/** An IDL with the origin of the service that it was fetched from. */
export interface PublishedIdl {
  readonly origin: string;
  readonly idl: PlacedIdl;
}

/** The IDLs of the workspace, which hold everywhere, and those that programs published, each where it was fetched. */
export interface KnownIdls {
  readonly workspace: readonly PlacedIdl[];
  readonly published: readonly PublishedIdl[];
}

/** The programs known at a service; an IDL of the workspace takes precedence over a published one. */
export function programsAt({ workspace, published }: KnownIdls, origin: string | undefined): Programs {
  const here = published.filter((one) => one.origin === origin).map(({ idl }) => idl);
  return programsOf([...here, ...workspace]);
}

/** An account whose owner has an IDL; `undefined` when none of its accounts begins like the data, or fits it. */
export function decodeWithIdl(owner: string, data: Uint8Array, known: Programs): Decoded | undefined {
  const idl = known.idl(owner);
  const record = idl === undefined ? undefined : recordOf(idl.accounts, data);
  if (idl === undefined || record === undefined) return undefined;
  const fields = decodeRecord(idl, record, data);
  return fields === undefined ? undefined : { kind: 'idl', title: `${record.name} (${idl.name})`, fields };
}
