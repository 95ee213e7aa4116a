// Finds the provider of an address and fills in its other addresses. Pure.
import type { Interface } from '../profiles/profile';
import { PROVIDERS } from './table';
import type { Provider, ProviderAddress, ProviderForm } from './types';
import { hasKeyPlace, isKeyPlace, readUrlText, type UrlParameter, type UrlPart, type UrlText } from './urlText';

export interface AddressMatch {
  readonly provider: Provider;
  readonly form: ProviderForm;
  readonly slot: Interface;
  readonly values: ReadonlyMap<string, string>;
  /** The text in the place of the key, even if it is `{key}`; undefined if the address leaves it out. */
  readonly key: UrlPart | undefined;
  /** Parameters that the form does not have. */
  readonly extras: readonly UrlParameter[];
}

interface Template {
  readonly provider: Provider;
  readonly form: ProviderForm;
  readonly slot: Interface;
  readonly address: ProviderAddress;
  readonly host: RegExp;
  readonly names: readonly string[];
  readonly parts: UrlText;
}

const NAME = /\{(\w+)\}/g;
/** Any host with its port, for templates that name none. */
const ANY_HOST = '[^/?#@{}]+';
const LABEL = '[a-z0-9-]+';

/** By the end of the host, `helius-rpc.com`; templates of any host under the empty text. Made when first asked for. */
let index: ReadonlyMap<string, readonly Template[]> | undefined;

function templates(): ReadonlyMap<string, readonly Template[]> {
  if (index !== undefined) return index;
  const made = new Map<string, Template[]>();
  for (const provider of PROVIDERS)
    for (const form of provider.forms)
      for (const [slot, address] of Object.entries(form.addresses) as [Interface, ProviderAddress][]) {
        const template = templateOf(provider, form, slot, address);
        const end = endOf(template.parts.host);
        made.set(end, [...(made.get(end) ?? []), template]);
      }
  index = made;
  return made;
}

/** The last two labels of a host, without its port; empty if it is not such a name. */
function endOf(host: string): string {
  const labels = host.replace(/:\d+$/, '').split('.').slice(-2);
  const isName = labels.length === 2 && labels.every((label) => label !== '') && !labels[1]?.includes(':');
  return isName && !host.includes('{host}') ? labels.join('.') : '';
}

function templateOf(provider: Provider, form: ProviderForm, slot: Interface, address: ProviderAddress): Template {
  const parts = readUrlText(address.url);
  const names = [...parts.host.matchAll(NAME)].map(([, name = '']) => name);
  const pattern = parts.host
    .replace(/[.[\]]/g, '\\$&')
    .replace(NAME, (_, name: string) => `(${form.values?.[name]?.join('|') ?? (name === 'host' ? ANY_HOST : LABEL)})`);
  return { provider, form, slot, address, parts, names, host: new RegExp(`^${pattern}$`) };
}

/** Schemes by which an address of a kind is written. */
const SLOTS_OF_SCHEME: Readonly<Record<string, readonly Interface[]>> = {
  http: ['rpc', 'grpc', 'rest', 'swqos'],
  https: ['rpc', 'grpc', 'rest', 'swqos'],
  ws: ['ws'],
  wss: ['ws'],
  grpc: ['grpc'],
  grpcs: ['grpc'],
};

/** The first form of a provider that an address has; of one interface where `slot` is given. */
export function matchAddress(text: string, slot?: Interface): AddressMatch | undefined {
  const parts = readUrlText(text);
  const slots = slot === undefined ? (SLOTS_OF_SCHEME[parts.scheme ?? 'https'] ?? []) : [slot];
  for (const template of candidates(parts.host)) {
    if (!slots.includes(template.slot)) continue;
    if (template.form.knownBy?.includes(template.slot) === false) continue;
    const found = matchTemplate(template, parts);
    if (found !== undefined) return found;
  }
  return undefined;
}

const candidates = (host: string): readonly Template[] => [
  ...(templates().get('') ?? []),
  ...(templates().get(endOf(host)) ?? []),
];

function matchTemplate(template: Template, { host, segments, parameters }: UrlText): AddressMatch | undefined {
  const groups = template.host.exec(host);
  if (groups === null) return undefined;
  const { provider, form, slot, parts, names } = template;
  const inPath = keyInPath(template, segments);
  if (inPath === undefined) return undefined;
  let key = inPath.key;
  const left = new Set(parameters);
  for (const wanted of parts.parameters) {
    const given = parameters.find(({ name }) => name === wanted.name);
    if (given !== undefined) left.delete(given);
    if (isKeyPlace(wanted.value.text)) key ??= given?.value.text === '' ? undefined : given?.value;
    else if (given?.value.text !== wanted.value.text) return undefined;
  }
  const values = new Map(names.map((name, at) => [name, groups[at + 1] ?? '']));
  return { provider, form, slot, values, key, extras: [...left] };
}

/** Undefined if the path differs. The key may be left out, and may follow an address that takes it as a header. */
function keyInPath(
  { parts, address }: Template,
  segments: readonly UrlPart[],
): { readonly key: UrlPart | undefined } | undefined {
  const wanted = parts.segments;
  const fits = (list: readonly UrlPart[]): boolean =>
    list.length === segments.length && list.every(({ text }, at) => isKeyPlace(text) || text === segments[at]?.text);
  if (fits(wanted)) {
    const at = wanted.findIndex(({ text }) => isKeyPlace(text));
    return { key: at < 0 ? undefined : segments[at] };
  }
  if (fits(wanted.filter(({ text }) => !isKeyPlace(text)))) return { key: undefined };
  const isBehind =
    address.auth?.startsWith('header:') === true &&
    segments.length === wanted.length + 1 &&
    wanted.every(({ text }, at) => text === segments[at]?.text);
  return isBehind ? { key: segments.at(-1) } : undefined;
}

/** An address of a form with its names filled in; undefined where one of them is not known. */
export function filledUrl(
  { url }: ProviderAddress,
  { form, values }: Pick<AddressMatch, 'form' | 'values'>,
): string | undefined {
  let isWhole = true;
  const filled = url.replace(NAME, (all, name: string) => {
    if (name === 'key') return all;
    const value = values.get(name) ?? form.values?.[name]?.[0];
    isWhole &&= value !== undefined;
    return value ?? '';
  });
  return isWhole ? filled : undefined;
}

/** The address that was matched, as its form writes it, with the parameters that the form does not have. */
export function matchedUrl(match: AddressMatch): string | undefined {
  const address = match.form.addresses[match.slot];
  const url = address === undefined ? undefined : filledUrl(address, match);
  if (url === undefined) return undefined;
  // The URL of the form already has a place for the key: a second one is dropped.
  const extras = match.extras.filter(({ value }) => !isKeyPlace(value.text) || !hasKeyPlace(url));
  const more = extras.map(({ name, value }) => `${encodeURIComponent(name)}=${value.text}`).join('&');
  return more === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${more}`;
}

/** The names of parameters that carry a key at a host. */
export function keyParametersAt(host: string): readonly string[] {
  const found = (templates().get(endOf(host)) ?? []).filter((template) => template.host.test(host));
  return found.flatMap(({ parts }) =>
    parts.parameters.filter(({ value }) => isKeyPlace(value.text)).map(({ name }) => name),
  );
}
