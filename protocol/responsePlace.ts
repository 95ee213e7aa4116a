// The place of a kept response as pages name it.
import { count, record, type Reader } from './shapes';

/** The name of a request's folder, of hexadecimal digits: no path. */
const request: Reader<string> = (value) =>
  typeof value === 'string' && /^[0-9a-f]{1,64}$/.test(value) ? value : undefined;

export const responsePlace = record({ request, run: count });
