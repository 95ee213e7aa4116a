// The type of a case: its name is that of the fixture with its expected view.
import type { Made, Stage } from '../stage';

export type Case = readonly [name: string, make: (stage: Stage) => Made | Promise<Made>];
