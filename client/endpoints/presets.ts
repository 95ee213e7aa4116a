// The choices of *Add Endpoint* before an address is typed: the local service, the public clusters, every provider whose
// addresses are known. Derived from the table of providers. Pure: texts go through `t`.
import { PROVIDERS } from '../../core/service/providers/table';
import type { Provider, ProviderForm } from '../../core/service/providers/types';
import type { Translate } from '../shared/words';

export type Preset =
  | { readonly kind: 'local' }
  /** Needs nothing more: no key, and one address for everybody. */
  | {
      readonly kind: 'public';
      readonly name: string;
      readonly address: string;
      /** The address is the cluster's own, and no provider's. */
      readonly isOfCluster: boolean;
    }
  /** The user's own address of this provider is asked for. */
  | {
      readonly kind: 'provider';
      readonly name: string;
      /** Which address to paste, a sentence of Markdown without links. */
      readonly hint: string;
      /** An example of such an address. */
      readonly example: string;
    };

export interface PresetRow {
  readonly label: string;
  readonly description: string;
  /** Name of a theme icon. */
  readonly icon: string;
  readonly preset: Preset;
}

/** `hasLocal`: the local service runs already. */
export function presetRows(t: Translate, hasLocal: boolean): readonly PresetRow[] {
  const local: PresetRow = {
    label: t('Local service'),
    description: t('a ledger on this machine, no account'),
    icon: 'vm',
    preset: { kind: 'local' },
  };
  return [...(hasLocal ? [] : [local]), ...PROVIDERS.flatMap((provider) => rowsOf(provider, t)).sort(byNeed)];
}

/** The clusters' own addresses come first, then others that need no account, then the table's order. */
const byNeed = (a: PresetRow, b: PresetRow): number => rankOf(a) - rankOf(b);

function rankOf({ preset }: PresetRow): number {
  if (preset.kind !== 'public') return 2;
  return preset.isOfCluster ? 0 : 1;
}

/** The provider of the clusters' own addresses. */
const CLUSTERS = 'public';

function rowsOf(provider: Provider, t: Translate): readonly PresetRow[] {
  const forms = provider.forms.filter(({ isSecondary }) => isSecondary !== true);
  const isPublic = forms.every(({ addresses: { rpc } }) => rpc?.auth === 'none' && !rpc.url.includes('{'));
  return isPublic ? forms.flatMap((form) => publicRow(provider, form, t)) : ofProvider(provider, forms, t);
}

function publicRow({ id, name }: Provider, { cluster, addresses }: ProviderForm, t: Translate): readonly PresetRow[] {
  const address = addresses.rpc?.url;
  if (cluster === undefined || address === undefined) return [];
  const isOfCluster = id === CLUSTERS;
  const label = isOfCluster ? cluster : `${name} ${cluster}`;
  return [
    {
      label,
      description: t('public, no key, limited by IP address'),
      icon: 'globe',
      preset: { kind: 'public', name: label, address, isOfCluster },
    },
  ];
}

function ofProvider({ name, notes }: Provider, forms: Provider['forms'], t: Translate): readonly PresetRow[] {
  const address = forms.find(({ addresses }) => addresses.rpc !== undefined)?.addresses.rpc;
  // A sender lands transactions and answers nothing: it is given to an endpoint, by its address.
  if (address === undefined) return [];
  const isKeyless = address.auth === 'none';
  return [
    {
      label: name,
      description: isKeyless ? t('no key') : t('with your key'),
      icon: isKeyless ? 'server' : 'plug',
      preset: { kind: 'provider', name, hint: notes[0] ?? '', example: address.url },
    },
  ];
}

/** Whether what was typed is meant as an address, and not as words to find a preset by. */
export const looksLikeAddress = (text: string): boolean => /[.:/]/.test(text.trim());

/** `wanted`, or with a number behind it where another endpoint has that name. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted} ${number}`;
  return name;
}
