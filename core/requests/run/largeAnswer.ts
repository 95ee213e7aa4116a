// The answer of a request whose body lies in a file, as assertions and chains ask it: by path, without holding the whole.
// Values are fetched before they are looked up, so that filling in stays one synchronous step.
import { holds } from './assertions/assertions';
import { equalValues } from '../../solana/json/numbers';
import { printJson } from '../../solana/json/json';
import type { ExpectedValue, StoredValues } from '../document/variables/answer';
import type { Comparison, PathStep } from '../document/model';
import type { Found, StoredResponse } from '../../service/response/stored';
import type { JsonValue } from '../../solana/json/json';

/** Values up to this many bytes are read for a chain or a check: parsing more would be felt. */
const VALUE_BYTES = 2 * 1024 * 1024;
/** Limit for a larger value, which is read whole only if an operator needs all of it. */
const COMPARED_BYTES = 64 * 1024 * 1024;
/** Bytes of an id in a batch. */
const ID_BYTES = 4_096;

/** The values of a body in a file. */
export class LargeAnswer implements StoredValues {
  readonly #found = new Map<string, Found | undefined>();
  #entries: Promise<ReadonlyMap<string, number>> | undefined;

  /** `isBatch`: the first step of a path is an id. */
  constructor(
    private readonly stored: StoredResponse,
    private readonly isBatch: boolean,
  ) {}

  /** Reads the value at a path of the body. Absent if its file is gone. */
  async fetch(steps: readonly PathStep[]): Promise<Found | undefined> {
    const key = keyOf(steps);
    if (!this.#found.has(key)) {
      const place = await this.#place(steps);
      const found =
        place === undefined ? undefined : await this.stored.value(place, VALUE_BYTES).catch(() => undefined);
      this.#found.set(key, found);
    }
    return this.#found.get(key);
  }

  /** The value that `fetch` found at a path. */
  known(steps: readonly PathStep[]): Found | undefined {
    return this.#found.get(keyOf(steps));
  }

  /** Whether an operator holds for a value that `fetch` found too large to hold. */
  async holds(comparison: Comparison, steps: readonly PathStep[], expected: ExpectedValue): Promise<boolean> {
    const { operator, lengthOrder = '==' } = comparison;
    const found = await this.fetch(steps);
    if (found?.kind !== 'large') return false;
    switch (operator) {
      case 'exists':
        return true;
      case 'isAbsent':
        return false;
      case 'isArray':
      case 'isObject':
      case 'isString':
      case 'isNumber':
      case 'isBoolean':
      case 'isNull':
        return operator.toLowerCase() === `is${found.is}`;
      case 'length':
        if (found.count !== undefined) return holds({ operator: lengthOrder }, found.count, expected);
        break;
      case 'contains':
        if (found.is === 'array') {
          const place = await this.#place(steps);
          return place !== undefined && (await this.#contains(place, expected));
        }
        break;
      default:
    }
    const place = await this.#place(steps);
    const whole = place === undefined ? undefined : await this.stored.value(place, COMPARED_BYTES);
    // A value that could not be compared has not passed.
    return whole?.kind === 'value' && holds(comparison, whole.value, expected);
  }

  /** Whether `test` holds for an element of the list at a path; undefined if there is no list. */
  async some(steps: readonly PathStep[], test: (item: JsonValue) => boolean): Promise<boolean | undefined> {
    const found = await this.fetch(steps);
    const place = found?.kind === 'large' && found.is === 'array' ? await this.#place(steps) : undefined;
    return place === undefined ? undefined : this.stored.some(place, test);
  }

  async #contains(place: readonly PathStep[], { value, text }: ExpectedValue): Promise<boolean> {
    return value !== undefined && this.stored.some(place, (item) => equalValues(item, value, text));
  }

  /** The path in the file: of a batch the place of the answer with that id. */
  async #place(path: readonly PathStep[]): Promise<readonly PathStep[] | undefined> {
    const steps = await this.#counted(path);
    const [first, ...rest] = steps;
    if (!this.isBatch || first === undefined || first === 'length') return steps;
    this.#entries ??= this.#readIds();
    const index = (await this.#entries).get(printJson(first));
    return index === undefined ? undefined : [index, ...rest];
  }

  /** A path in which no index counts from the end. */
  async #counted(path: readonly PathStep[]): Promise<readonly PathStep[]> {
    const at = path.findIndex((step) => typeof step === 'number' && step < 0);
    if (at < 0) return path;
    const before = path.slice(0, at);
    const count = await this.stored.value([...before, 'length'], ID_BYTES);
    const total = count?.kind === 'value' && typeof count.value === 'number' ? count.value : 0;
    return this.#counted([...before, Math.max(0, total + Number(path[at])), ...path.slice(at + 1)]);
  }

  async #readIds(): Promise<ReadonlyMap<string, number>> {
    const entries = new Map<string, number>();
    const count = await this.stored.value(['length'], ID_BYTES);
    const total = count?.kind === 'value' && typeof count.value === 'number' ? count.value : 0;
    for (let index = 0; index < total; index++) {
      const id = await this.stored.value([index, 'id'], ID_BYTES);
      if (id?.kind === 'value' && !entries.has(printJson(id.value))) entries.set(printJson(id.value), index);
    }
    return entries;
  }
}

const keyOf = (steps: readonly PathStep[]): string => JSON.stringify(steps);
