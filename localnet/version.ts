// The product's version, put in by the bundler; a run from source has none. The node's own is in ledger/release.ts.
declare const PRODUCT_VERSION: string | undefined;

export const VERSION = typeof PRODUCT_VERSION === 'string' ? PRODUCT_VERSION : '0.0.0-source';
