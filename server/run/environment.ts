// The environment of the editor as requests may use it: the user's list of names, this machine, or an answer to a
// question, which is remembered for the name and the host until the server ends.
import { isKeyVariable } from '../../core/keyNames';
import type { Result } from '../../core/errors';
import type { Target } from '../../net/api';
import { isLoopback } from '../../core/origin';
import { shownHost } from '../../net/target/target';
import type { Readable } from '../../runner/environment';
import type { EnvironmentPort } from '../../runner/ports';
import type { Destined } from '../../runner/ports';
import type { RunPorts } from '../../runner/ports';
import type { Window } from '../window';

export type AskEnvironment = NonNullable<EnvironmentPort['ask']>;

/** Asks once per name and host; a refusal is not remembered beyond the run that it ends. */
export function rememberedConsent(confirm: RunPorts['confirm']): AskEnvironment {
  const agreed = new Set<string>();
  return async (name, host, signal) => {
    const key = JSON.stringify([name, host]);
    if (agreed.has(key)) return true;
    const question = `It sends the value of the environment variable ${name} to ${host}. To allow the name for every host, add it to the setting solanaRpc.allowedEnvironment.`;
    if (!(await confirm(question, signal))) return false;
    agreed.add(key);
    return true;
  };
}

/** The file to run, and a variant's endpoint, which overrides the file's. */
export interface RunPlace {
  readonly uri: string;
  readonly endpoint: string | undefined;
  readonly isFromModel?: boolean;
}

export interface EnvironmentOptions {
  readonly window: Window;
  readonly ask: AskEnvironment;
  readonly place: (request: Destined) => Result<Target>;
  /** A language model wrote the request: it reads the answer, so it gets nothing of the environment. */
  readonly isFromModel: boolean;
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

export function environmentOf({ window, ask, place, isFromModel }: EnvironmentOptions): EnvironmentPort {
  return {
    ...readableEnvironment(window, isFromModel),
    isAllowed: (name) => window.state.settings.allowedEnvironment.includes(name),
    destination(request) {
      const target = place(request);
      if (!target.ok) return undefined;
      return { host: shownHost(target.value.url), isHere: isLoopback(target.value.url) };
    },
    ask,
    hint: (name) => `Send again and agree, or add ${name} to the setting solanaRpc.allowedEnvironment.`,
  };
}

const keyText = (name: string): string =>
  `${name} is for a key, which no request reads. Store the key with the command “Add Key”.`;
