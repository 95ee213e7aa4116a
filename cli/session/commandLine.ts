// The endpoint that a command line describes: its URLs, how keys travel to them, and the provider whose addresses they
// are. Bad values are refused with the good ones listed, and never repeated: they may be keys.
import { AUTH_FORMS, isAuthForm, type AuthForm } from '../../core/service/keys/authForm';
import { originOf } from '../../core/service/profiles/origin';
import { URL_OF, type EndpointProfile, type Interface } from '../../core/service/profiles/profile';
import { AUTH_SLOTS } from '../../core/service/profiles/profileReader';
import { readAddress } from '../../core/service/providers/address';
import { filledUrl } from '../../core/service/providers/match';
import { PROVIDERS } from '../../core/service/providers/table';
import type { Provider, ProviderForm } from '../../core/service/providers/types';
import { UsageError } from '../exit';
import type { Given } from '../options';

/** An endpoint given by its addresses instead of a profile's name; `auth` per interface. */
export interface CommandLinePlace {
  readonly profile: Omit<EndpointProfile, 'name'>;
  /** The endpoint's name if nothing else names it. */
  readonly name: string | undefined;
}

const OPTIONS: Readonly<Record<Interface, string>> = {
  rpc: 'rpc-url',
  ws: 'ws-url',
  grpc: 'grpc-url',
  rest: 'rest-url',
  swqos: 'swqos-url',
};

/** Throws UsageError. */
export function commandLinePlace(given: Given): CommandLinePlace {
  const urls = givenUrls(given);
  const forms = givenForms(given);
  const provider = given.text('provider');
  const base = provider === undefined ? undefined : providerProfile(provider, urls);
  const auth = { ...base?.profile.auth, ...forms };
  // An address that was given has its own place for the key, unless a form was given, too.
  for (const face of AUTH_SLOTS) if (urls[URL_OF[face]] !== undefined && forms[face] === undefined) delete auth[face];
  const [first] = Object.values(urls);
  return {
    profile: { ...base?.profile, ...urls, ...(Object.keys(auth).length > 0 && { auth }) },
    name: base?.name ?? (first === undefined ? undefined : new URL(first).host),
  };
}

type Urls = Partial<Record<(typeof URL_OF)[Interface], string>>;

function givenUrls(given: Given): Urls {
  const urls: Urls = {};
  for (const face of AUTH_SLOTS) {
    const text = given.text(OPTIONS[face]);
    if (text === undefined) continue;
    if (originOf(text) === undefined) throw new UsageError(`--${OPTIONS[face]} takes a complete URL with its scheme.`);
    urls[URL_OF[face]] = text;
  }
  return urls;
}

/** `--auth INTERFACE=FORM`, each interface once. */
function givenForms(given: Given): Partial<Record<Interface, AuthForm>> {
  const forms: Partial<Record<Interface, AuthForm>> = {};
  for (const text of given.list('auth')) {
    const at = text.indexOf('=');
    const face = AUTH_SLOTS.find((slot) => slot === text.slice(0, Math.max(at, 0)));
    const form = text.slice(at + 1);
    if (face === undefined)
      throw new UsageError(`--auth takes INTERFACE=FORM. Interfaces: ${AUTH_SLOTS.join(', ')}. Forms: ${AUTH_FORMS}.`);
    if (!isAuthForm(form)) throw new UsageError(`--auth ${face}= takes one of these forms: ${AUTH_FORMS}.`);
    if (forms[face] !== undefined) throw new UsageError(`--auth names ${face} twice.`);
    forms[face] = form;
  }
  return forms;
}

interface Base extends CommandLinePlace {
  readonly name: string;
}

/** `ID` or `ID:CLUSTER`; with an address of an account's own where the provider has one per account. */
function providerProfile(text: string, urls: Urls): Base {
  const [id = '', cluster] = text.toLowerCase().split(':', 2);
  const provider = PROVIDERS.find((one) => one.id === id);
  if (provider === undefined)
    throw new UsageError(`--provider takes one of: ${PROVIDERS.map((one) => one.id).join(', ')}.`);
  const own = AUTH_SLOTS.flatMap((face) => urls[URL_OF[face]] ?? []);
  for (const url of own) {
    const read = readAddress(url);
    if (read?.provider === provider) return { name: provider.id, profile: read.profile };
  }
  const form = formOf(provider, cluster);
  const filled = AUTH_SLOTS.flatMap((face) => {
    const address = form.addresses[face];
    const url = address === undefined ? undefined : filledUrl(address, { form, values: new Map() });
    return url === undefined ? [] : [url];
  });
  const read = filled.map(readAddress).find((one) => one?.provider === provider);
  if (read !== undefined) return { name: provider.id, profile: read.profile };
  const [face, address] = Object.entries(form.addresses)[0] ?? ['rpc', { url: '' }];
  throw new UsageError(
    `${provider.name} has an address per account: give it as well, --${OPTIONS[face as Interface]} '${address.url}'.`,
  );
}

function formOf({ name, id, forms }: Provider, cluster: string | undefined): ProviderForm {
  const main = forms.filter(({ isSecondary }) => isSecondary !== true);
  const form = cluster === undefined ? main[0] : main.find((one) => one.cluster === cluster);
  if (form !== undefined) return form;
  const known = main.flatMap((one) => (one.cluster === undefined ? [] : [`${id}:${one.cluster}`]));
  throw new UsageError(`${name} is known as: ${known.length === 0 ? id : known.join(', ')}.`);
}
