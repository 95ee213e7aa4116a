// The files of a run and the names they share. core/requests/document looks names up; this says which
// scope belongs to a block, since the profile's variables depend on the block's endpoint.
import type { Row } from '../document/variables/rows';
import { Scope } from '../document/variables/variables';
import type { Home } from '../document/variables/evaluate';
import type { PlacedBlock, RequestDocument } from '../document/model';
import type { ImportPort, Meaning, NamedRequest } from '../document/variables/variables';
import type { ReferenceContent } from '../document/model';
import type { JsonValue } from '../../solana/json/json';

/** Values and files that the request files may refer to. */
export interface SourceOptions {
  /** `--var`: above everything a file says. */
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** Variables of the chosen environment. */
  readonly environment?: ReadonlyMap<string, JsonValue>;
  /** Variables of an endpoint's profile; undefined asks for the active endpoint. */
  readonly profileVariables: (endpoint: string | undefined) => ReadonlyMap<string, JsonValue>;
  /** Other files, already read. */
  readonly imports: ImportPort;
}

/** A block of a file, as a step of a run. */
export interface Located extends Home {
  readonly placed: PlacedBlock;
  /** Of `@foreach`. */
  readonly row?: Row;
}

/** The scopes of a run: one per file and endpoint, made when first asked for. */
export class Sources {
  readonly #scopes = new Map<string | undefined, Map<string, Scope>>();

  constructor(readonly options: SourceOptions) {}

  locate(document: RequestDocument, placed: PlacedBlock): Located {
    const endpoint = placed.block.settings.endpoint ?? preambleOf(document)?.block.settings.endpoint;
    return { scope: this.#scopeOf(document, endpoint), block: placed.block, placed };
  }

  request({ document, placed }: NamedRequest): Located {
    return this.locate(document, placed);
  }

  #scopeOf(document: RequestDocument, endpoint: string | undefined): Scope {
    const { variables, environment, profileVariables, imports } = this.options;
    const known = this.#scopes.get(endpoint) ?? new Map<string, Scope>();
    this.#scopes.set(endpoint, known);
    const surroundings = {
      vars: variables,
      profile: profileVariables(endpoint),
      imports,
      ...(environment !== undefined && { environment }),
    };
    return known.get(document.uri) ?? new Scope(document, surroundings, known);
  }
}

export function meaningAt(home: Home, content: ReferenceContent): Meaning {
  return home.scope.meaningOf(home.block, content);
}

/** The block with its line, for positions. */
export function located({ scope, block }: Home): Located | undefined {
  const placed = scope.document.blocks.find((candidate) => candidate.block === block);
  return placed === undefined ? undefined : { scope, block, placed };
}

/** The text before the first "###", if any. */
export function preambleOf(document: RequestDocument): PlacedBlock | undefined {
  const { first } = document;
  return first.kind === 'preamble' ? document.placed(first, 0) : undefined;
}

/** The settings that a block and its file's preamble set together. */
export interface EffectiveSettings {
  readonly endpoint?: string;
  readonly key?: string;
  readonly isKeyless?: true;
  readonly timeoutMs?: number;
  readonly tags: readonly string[];
}

export function settingsOf({ scope, block }: Home): EffectiveSettings {
  const own = block.settings;
  const shared = preambleOf(scope.document)?.block.settings;
  const endpoint = own.endpoint ?? shared?.endpoint;
  const key = own.key ?? shared?.key;
  const timeoutMs = own.timeoutMs ?? shared?.timeoutMs;
  return {
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(own.auth === 'none' ? { isKeyless: true } : key === undefined ? {} : { key }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    tags: [...new Set([...(shared?.tags ?? []), ...own.tags])],
  };
}
