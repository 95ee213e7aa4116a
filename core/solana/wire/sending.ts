// Which methods send a transaction, by their names. One rule for all code that asks first, refuses, or never repeats.

/** `sendTransaction`, and what providers call their own ways of sending; no method that only reads begins so. */
const SENDS = /^send/i;

export const isSendingMethod = (name: unknown): boolean => typeof name === 'string' && SENDS.test(name);
