// The folder of the project. Lies where its folder is one below, for the sources as for the bundle in out/.
import path from 'node:path';

export const root = path.join(import.meta.dirname, '..');
