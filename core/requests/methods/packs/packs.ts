// The method packs: methods and parameters of providers beyond the standard node, as data. Known everywhere, offered
// and taken without a hint only where a file, a setting or the endpoint asks for the pack.
import { perObject } from '../../../solana/common/perObject';
import type { MethodRecord, ParamSpec } from '../types';
import { DAS_METHODS } from './das';
import { HELIUS_METHODS } from './helius';
import type { PackId } from '../../../service/providers/packIds';
import { JITO_METHODS, QUICKNODE_METHODS, TRITON_EXTENSIONS } from './others';
import { PHOTON_METHODS } from './photon';

/** A pack's additions to a method that exists without it. */
interface MethodExtension extends Pick<MethodRecord, 'name' | 'example'> {
  /** All parameters of the method by position; those that it has already are repeated. */
  readonly params: readonly ParamSpec[];
}

export interface MethodPack {
  readonly id: PackId;
  readonly title: string;
  /** One sentence: what it is and who serves it. */
  readonly doc: string;
  /** Where its own documentation begins. */
  readonly url: string;
  readonly methods: readonly MethodRecord[];
  readonly extensions?: readonly MethodExtension[];
}

/** One for each of `PACK_IDS`. */
export const PACKS: readonly MethodPack[] = [
  {
    id: 'das',
    title: 'Digital Asset Standard',
    doc: 'NFTs, compressed NFTs and tokens from an index; served by Helius, QuickNode, Triton, Alchemy, Shyft and others.',
    url: 'https://developers.metaplex.com/dev-tools/das-api',
    methods: DAS_METHODS,
  },
  {
    id: 'photon',
    title: 'ZK Compression',
    doc: 'Compressed accounts and tokens from the Photon indexer; served by Helius and others.',
    url: 'https://www.zkcompression.com',
    methods: PHOTON_METHODS,
  },
  {
    id: 'helius',
    title: 'Helius',
    doc: 'Methods of Helius; the packs `das` and `photon` come with it.',
    url: 'https://www.helius.dev/docs',
    methods: HELIUS_METHODS,
  },
  {
    id: 'jito',
    title: 'Jito',
    doc: "Bundles and tips of Jito's block engine, and of providers that pass them on.",
    url: 'https://docs.jito.wtf',
    methods: JITO_METHODS,
  },
  {
    id: 'quicknode',
    title: 'QuickNode',
    doc: 'Methods of QuickNode add-ons; its assets are in `das`, its bundles in `jito`.',
    url: 'https://www.quicknode.com/docs/solana',
    methods: QUICKNODE_METHODS,
  },
  {
    id: 'triton',
    title: 'Triton',
    doc: 'What Triton adds to methods of the standard.',
    url: 'https://docs.triton.one',
    methods: [],
    extensions: TRITON_EXTENSIONS,
  },
];

/** The methods of all packs. */
export const PACK_METHODS: readonly MethodRecord[] = PACKS.flatMap(({ methods }) => methods);

/** A method of the standard with what the packs add to it; the same object where they add nothing. */
export function withPacks(record: MethodRecord): MethodRecord {
  let whole = record;
  for (const { id, extensions = [] } of PACKS)
    for (const { name, params } of extensions) if (name === record.name) whole = extended(whole, params, id);
  return whole;
}

/**
 * A method with more parameters. `params`: all of them, by position. New members are added to the objects that the
 * method already takes, and new parameters after its last one. The method's own facts are never replaced.
 */
export function extended(record: MethodRecord, params: readonly ParamSpec[], pack?: PackId): MethodRecord {
  const mark = pack === undefined ? {} : { pack };
  const own = record.params.map((param, index) => withMembers(param, params[index], mark));
  return { ...record, params: [...own, ...params.slice(own.length).map((param) => ({ ...param, ...mark }))] };
}

function withMembers(param: ParamSpec, more: ParamSpec | undefined, mark: Pick<ParamSpec, 'pack'>): ParamSpec {
  if (param.spec.kind !== 'object' || more?.spec.kind !== 'object') return param;
  const names = new Set(param.spec.fields.map(({ name }) => name));
  const fresh = more.spec.fields.filter(({ name }) => !names.has(name)).map((field) => ({ ...field, ...mark }));
  return fresh.length === 0 ? param : { ...param, spec: { ...param.spec, fields: [...param.spec.fields, ...fresh] } };
}

/** The packs that add to a method, each once. */
const packsIn = perObject(({ params }: MethodRecord): readonly PackId[] => {
  const parts = params.flatMap((param) => [param, ...(param.spec.kind === 'object' ? param.spec.fields : [])]);
  return [...new Set(parts.flatMap(({ pack }) => pack ?? []))];
});

/** A method without what packs add to it, by the packs that are left out. */
const versionsOf = perObject<MethodRecord, Map<string, MethodRecord>>(() => new Map());

/**
 * A method without what packs add to it that are not asked for; the same object for the same packs, and the method itself
 * where nothing is left out.
 */
export function knownTo(record: MethodRecord, packs: ReadonlySet<PackId>): MethodRecord {
  const left = packsIn(record).filter((pack) => !packs.has(pack));
  if (left.length === 0) return record;
  const versions = versionsOf(record);
  const key = left.join(' ');
  const version = versions.get(key) ?? without(record, left);
  versions.set(key, version);
  return version;
}

function without(record: MethodRecord, packs: readonly PackId[]): MethodRecord {
  const isKnown = ({ pack }: ParamSpec): boolean => pack === undefined || !packs.includes(pack);
  const params = record.params.filter(isKnown).map((param) => {
    if (param.spec.kind !== 'object' || param.spec.fields.every(isKnown)) return param;
    return { ...param, spec: { ...param.spec, fields: param.spec.fields.filter(isKnown) } };
  });
  return { ...record, params };
}
