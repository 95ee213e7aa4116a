// Collects garbage now, for tests of what is let go of.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collect = runInNewContext('gc') as () => void;
