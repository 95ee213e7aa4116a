// The environment of the editor as requests may use it: the user's list of names, this machine, or an answer to a
// question, which is remembered for the name and the place until the server ends.
import { isKeyVariable } from '../../core/service/keys/keyNames';
import type { Result } from '../../core/service/errors';
import type { SendTarget } from '../../net/api';
import { isLoopback } from '../../core/service/profiles/origin';
import { shownHost } from '../../net/target/target';
import type { Readable } from '../../runner/environment';
import type { Destined, EnvironmentPort, RunPorts, ValuePlace } from '../../runner/ports';
import type { Window } from '../window';

/** The environment permissions that the runs of a server share. */
export type SharedEnvironment = Required<Pick<EnvironmentPort, 'ask' | 'sentHere'>>;

/** Asks once per name and place; a refusal is not remembered beyond the run that it ends. */
export function sharedEnvironment(confirm: RunPorts['confirm']): SharedEnvironment {
  const agreed = new Set<string>();
  const ask: SharedEnvironment['ask'] = async (name, place, signal) => {
    const key = JSON.stringify([name, place]);
    if (agreed.has(key)) return true;
    if (!(await confirm(`${questionOf(name, place)} ${ALLOW_EVERYWHERE}`, signal))) return false;
    agreed.add(key);
    return true;
  };
  return { ask, sentHere: new Set() };
}

const questionOf = (name: string, place: ValuePlace): string =>
  place.kind === 'host'
    ? `It sends the value of the environment variable ${name} to ${place.host}.`
    : `It saves an answer that may repeat the value of the environment variable ${name} to ${place.file}, which any request may send later.`;

const ALLOW_EVERYWHERE = 'To allow the name everywhere, add it to the setting solanaRpc.allowedEnvironment.';

/** The file to run, and a variant's endpoint, which overrides the file's. */
export interface RunTarget {
  readonly uri: string;
  readonly endpoint: string | undefined;
  /** A language model wrote the request: it reads the answer, so it gets nothing of the environment. */
  readonly isFromModel?: boolean;
}

/** Values, without a permission to send them; none to a model. */
export function readableEnvironment(window: Window, isFromModel = false): Readable {
  return {
    value: (name) => process.env[name],
    refusal(name) {
      if (isFromModel) return 'A request of a language model reads no environment variables.';
      if (!window.state.trusted) return 'A window that is not trusted reads no environment variables.';
      return isKeyVariable(name) ? keyText(name) : undefined;
    },
  };
}

export function environmentOf(
  window: Window,
  shared: SharedEnvironment,
  place: (request: Destined) => Result<SendTarget>,
  isFromModel: boolean,
): EnvironmentPort {
  return {
    ...readableEnvironment(window, isFromModel),
    ...shared,
    isAllowed: (name) => window.state.settings.allowedEnvironment.includes(name),
    destination(request) {
      const target = place(request);
      if (!target.ok) return undefined;
      return { host: shownHost(target.value.url), isHere: isLoopback(target.value.url) };
    },
    hint: (name) => `Send again and agree, or add ${name} to the setting solanaRpc.allowedEnvironment.`,
  };
}

const keyText = (name: string): string =>
  `${name} is for a key, which no request reads. Store the key with the command “Add Key”.`;
