// The shape of the provider table: which addresses a provider has and where a key goes in each. Types only.
import type { AuthForm } from '../keys/authForm';
import type { PackId } from './packIds';
import type { Interface } from '../profiles/profile';

export type Cluster = 'mainnet' | 'devnet' | 'testnet';

/** One interface of a provider. */
export interface ProviderAddress {
  /**
   * A URL with names in braces: `{key}` where the key goes; a name with listed values takes only these, the first where an
   * address does not say which; any other name is one label of the host.
   */
  readonly url: string;
  /** Absent: as the URL says, or no key where it has no `{key}`. */
  readonly auth?: AuthForm;
}

/** Addresses that belong together: one of them implies the others. */
export interface ProviderForm {
  readonly cluster?: Cluster;
  readonly values?: Readonly<Record<string, readonly string[]>>;
  readonly addresses: Readonly<Partial<Record<Interface, ProviderAddress>>>;
  /** Interfaces by which the form is recognised; absent: by all. */
  readonly knownBy?: readonly Interface[];
  /** An older or an additional form: recognised, and not what `--provider` uses. */
  readonly isSecondary?: true;
}

/** The tip that a sender of transactions wants in each transaction. */
export interface SenderTip {
  /** The least tip, in lamports. */
  readonly lamports: number;
  /** When the sender's pages, or clients of it, were last seen to name these figures: `YYYY-MM`. They change. */
  readonly asOf: string;
  /** A transfer to any of these is the tip; none where they are not known. */
  readonly accounts: readonly string[];
  /** The least tip of an address with this parameter. */
  readonly reduced?: { readonly parameter: string; readonly lamports: number };
}

export interface Provider {
  /** As `--provider` takes it. */
  readonly id: string;
  readonly name: string;
  /** One key opens every interface; otherwise each type of key is its own. */
  readonly hasOneKey?: true;
  /** Method packs that it serves. */
  readonly packs?: readonly PackId[];
  readonly tip?: SenderTip;
  /** Of a sender that takes bundles: their path, instead of the one of single transactions. */
  readonly bundles?: { readonly path: string; readonly instead: string };
  readonly forms: readonly ProviderForm[];
  /** Sentences for docs/providers.md: what to paste, and what the provider does not serve. */
  readonly notes: readonly string[];
}
