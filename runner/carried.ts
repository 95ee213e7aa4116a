// Works out which variables of the environment requests and their answers may hold: by the names they use, by the answers
// they use, and by what a service on this machine was sent and may repeat later.
import { analyse, type RunAnalysis } from '../core/requests/run/analyse';
import { NoValue, resolverFor, type World } from '../core/requests/run/evaluate';
import { rowTransport, writtenMethod } from '../core/requests/run/report';
import { settingsOf, type Located, type Sources } from '../core/requests/run/source';
import { spliceToken } from '../core/requests/document/splice';
import type { PlacedBlock } from '../core/requests/document/model';
import { known } from '../core/solana/common/known';
import type { Step } from '../core/requests/run/plan';
import type { Destination, EnvironmentPort } from './ports';

type Names = ReadonlySet<string>;

/** A URL that only a run knows may lead anywhere. */
const UNKNOWN: Destination = { host: 'a host that is not known before the run', isHere: false };

/** The names of a run that need permission to leave this machine. */
export class CarriedNames {
  /** By the helpers of a block and of all that it needs. */
  readonly #named: (at: Located) => Names;
  /** Whether its answer, or another answer that it uses, may be from this machine. */
  #isFromHere: (at: Located) => boolean;
  /** Requests elsewhere that contain the answer of a look-up here. */
  readonly #askedHere = new Set<PlacedBlock>();
  readonly #destinations = new Map<PlacedBlock, Destination | undefined>();
  #plannedHere: Names | undefined;

  /** `world`: values known before the run. */
  constructor(
    private readonly steps: readonly Step[],
    private readonly world: World,
    private readonly environment: EnvironmentPort,
  ) {
    this.#named = alongDependencies<Names>(world.sources, (_at, { helpers }, before) => {
      const own = helpers.flatMap(({ helper: { name, args } }) => (name === '$processEnv' && args[0]?.text) || []);
      return union([this.#withoutAllowed(own), ...before]);
    });
    this.#isFromHere = this.#followedFromHere();
  }

  /** Those that a request may hold: its own, and those of the answers it uses. */
  inRequest(at: Located): Names {
    const named = this.#named(at);
    const here = this.#sentHere();
    if (here.size === 0) return named;
    if (this.#askedHere.has(at.placed)) return union([named, here]);
    const { dependencies } = analyse(at, this.world.sources);
    return dependencies.some(({ target }) => this.#isFromHere(target)) ? union([named, here]) : named;
  }

  /** Those that an answer may hold: services repeat what they were sent. */
  inAnswer(at: Located): Names {
    const here = this.#sentHere();
    return here.size > 0 && this.#isFromHere(at) ? union([this.#named(at), here]) : this.#named(at);
  }

  /** A service here was asked for something that a request is made of: a blockhash, an account. */
  askedHere(at: Located): void {
    if (this.#askedHere.has(at.placed) || this.destinationOf(at)?.isHere === true) return;
    this.#askedHere.add(at.placed);
    this.#isFromHere = this.#followedFromHere();
  }

  /** Where a request goes, as far as that is known before the run. */
  destinationOf(at: Located): Destination | undefined {
    if (!this.#destinations.has(at.placed))
      this.#destinations.set(at.placed, plannedDestination(at, this.world, this.environment));
    return this.#destinations.get(at.placed);
  }

  #followedFromHere(): (at: Located) => boolean {
    return alongDependencies<boolean>(
      this.world.sources,
      (at, _analysis, before) => before.includes(true) || this.#askedHere.has(at.placed) || this.#mayBeHere(at),
    );
  }

  #mayBeHere(at: Located): boolean {
    const destination = this.destinationOf(at);
    return destination === UNKNOWN || destination?.isHere === true;
  }

  /** Everything that services here were sent, or may be in this run: they may keep it, and answer anyone with it. */
  #sentHere(): Names {
    this.#plannedHere ??= union(
      this.steps.map(({ at, skip }) =>
        skip || this.#named(at).size === 0 || !this.#mayBeHere(at) ? NONE : this.#named(at),
      ),
    );
    return union([this.#plannedHere, this.#withoutAllowed(this.environment.sentHere)]);
  }

  #withoutAllowed(names: Iterable<string>): Names {
    return new Set([...names].filter((name) => !this.environment.isAllowed(name)));
  }
}

const NONE: Names = new Set();

/** A set of several names is shared along a chain of requests and not copied. */
function union(sets: readonly Names[]): Names {
  const filled = sets.filter(({ size }) => size > 0);
  return filled.length <= 1 ? (filled[0] ?? NONE) : new Set(filled.flatMap((names) => [...names]));
}

/**
 * `derive` of a block, with what it gave for the requests whose answers the block uses. Each block is looked at once,
 * however many use it: a chain of requests costs its length and not its square. A stack: the chain may be long.
 */
function alongDependencies<T>(
  sources: Sources,
  derive: (at: Located, analysis: RunAnalysis, before: readonly T[]) => T,
): (at: Located) => T {
  const done = new Map<PlacedBlock, { readonly derived: T }>();
  const deriveNow = (at: Located, analysis: RunAnalysis): { readonly derived: T } => {
    const before = analysis.dependencies
      .flatMap(({ target }) => done.get(target.placed) ?? [])
      .map(({ derived }) => derived);
    const made = { derived: derive(at, analysis, before) };
    done.set(at.placed, made);
    return made;
  };
  return (root) => {
    const open = new Map<PlacedBlock, RunAnalysis>();
    const pending = [root];
    for (let at = pending.at(-1); at !== undefined; at = pending.at(-1)) {
      const begun = open.get(at.placed);
      const analysis = begun ?? analyse(at, sources);
      if (begun !== undefined || done.has(at.placed)) {
        pending.pop();
        if (!done.has(at.placed)) deriveNow(at, analysis);
        continue;
      }
      open.set(at.placed, analysis);
      for (const { target } of analysis.dependencies)
        if (!done.has(target.placed) && !open.has(target.placed)) pending.push(target);
    }
    return (done.get(root.placed) ?? deriveNow(root, analyse(root, sources))).derived;
  };
}

function plannedDestination(at: Located, world: World, environment: EnvironmentPort): Destination | undefined {
  const { block } = at;
  const { endpoint, isKeyless } = settingsOf(at);
  const method = writtenMethod(block);
  const token = block.requestLine?.url;
  let url: string | undefined;
  try {
    url = token && spliceToken(token, block.references, resolverFor(at, world));
  } catch (error) {
    if (error instanceof NoValue) return UNKNOWN;
    throw error;
  }
  const transport = rowTransport(block, method);
  return environment.destination(known({ transport, method, headers: [], url, endpoint, isKeyless }));
}
