// The versions that the local service reports: the product's, put in by the bundler (a run from source has none), and the
// node's.
declare const PRODUCT_VERSION: string | undefined;

export const VERSION = typeof PRODUCT_VERSION === 'string' ? PRODUCT_VERSION : '0.0.0-source';

/** The version this node reports, in the form clients expect. */
export const NODE_VERSION = '3.1.0';
export const FEATURE_SET = 3604001754;

/** What getVersion answers, over HTTP and over the WebSocket. */
export const NODE_VERSIONS = { 'feature-set': FEATURE_SET, 'solana-core': NODE_VERSION } as const;
