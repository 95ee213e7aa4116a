// The version of the command, which the build puts in.

declare const PRODUCT_VERSION: string;

export const productVersion = (): string => (typeof PRODUCT_VERSION === 'string' ? PRODUCT_VERSION : 'development');
