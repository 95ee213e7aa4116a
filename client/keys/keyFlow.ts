// The editor's side of adding and rotating a key: the password box, the questions, the test, the write. What follows from
// each answer is decided in rotation.ts.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { KeyType, ServiceError } from '../../core/service/errors';
import type { EndpointProfile } from '../../core/service/profiles/profile';
import { Secret } from '../../core/service/keys/secret';
import { testKey, type TestKeyParams, type TestKeyResult } from '../../protocol/usage';
import type { KeyBroker } from './keyBroker';
import { hostsOf, type KeyUse } from './keyPlace';
import { originsFor } from '../profiles/origins';
import { untested, type Decision, type EntryPorts, type EntryProblem, type RotationQuestion } from './rotation';
import { cancellable } from '../shared/cancellable';
import { plain, TYPE_NAMES } from '../shared/words';

export interface KeyFlowDeps {
  readonly broker: KeyBroker;
  readonly server: () => Promise<LanguageClient>;
}

/** Where a key of `type` is tried at this endpoint. */
export function testOrigin(profile: EndpointProfile, type: KeyType): string | undefined {
  const origins = originsFor(profile, type);
  return origins[type] ?? origins.rpc;
}

export function entryPorts(deps: KeyFlowDeps, place: KeyUse, save: EntryPorts['save']): EntryPorts {
  const { tried, type } = place;
  return {
    ask: (check) => askSecret(place, check),
    decide: askDecision,
    save,
    test: tried === undefined ? undefined : (candidate) => testCandidate(deps, tried, type, candidate),
  };
}

/** One cheap call with `candidate`, which crosses to the server by a one-time handle. */
export async function testCandidate(
  { broker, server }: KeyFlowDeps,
  profile: EndpointProfile,
  type: KeyType,
  candidate: Secret,
): Promise<TestKeyResult> {
  const origin = testOrigin(profile, type);
  if (origin === undefined) return { kind: 'refused', error: noInterface(type) };
  const handle = broker.offer(candidate, origin);
  const params: TestKeyParams = { profile: profile.name, type, candidate: handle };
  let isCancelled = false;
  try {
    return await cancellable(vscode.l10n.t('Testing the key…'), async (token) => {
      token.onCancellationRequested(() => (isCancelled = true));
      return (await server()).sendRequest(testKey, params, token);
    });
  } catch (error) {
    return untested(error, isCancelled, vscode.l10n.t);
  } finally {
    broker.withdraw(handle);
  }
}

async function askSecret(
  { type, profile, origins }: KeyUse,
  check: (text: string) => EntryProblem | undefined,
): Promise<Secret | undefined> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('{0} key for {1}', TYPE_NAMES[type], plain(profile)),
    prompt: vscode.l10n.t(
      'It is kept in the editor’s secret storage and goes only to {0}.',
      plain(hostsOf(origins).join(', ')),
    ),
    password: true,
    ignoreFocusOut: true,
    validateInput: (typed) => {
      const problem = check(typed);
      return problem === undefined ? undefined : problemText(problem, type);
    },
  });
  return text === undefined ? undefined : new Secret(text.trim());
}

function problemText(problem: EntryProblem, type: KeyType): string {
  switch (problem) {
    case 'empty':
      return vscode.l10n.t('Paste the key, or press Escape to leave everything as it is.');
    case 'spaces':
      return vscode.l10n.t('A key contains no spaces.');
    case 'same':
      return vscode.l10n.t('This is the key that is stored already.');
    case 'otherType':
      return vscode.l10n.t('This looks like a key of another type; a {0} key is needed here.', TYPE_NAMES[type]);
  }
}

/** Asks the question; the buttons' labels map to decisions. Dismissing the dialog keeps the old key. */
async function askDecision(question: RotationQuestion): Promise<Decision> {
  const { message, answers } = wording(question);
  const choice = await vscode.window.showWarningMessage(message, { modal: true }, ...Object.keys(answers));
  return choice === undefined ? 'keep' : (answers[choice] ?? 'keep');
}

interface Wording {
  readonly message: string;
  readonly answers: Readonly<Record<string, Decision>>;
}

function wording(question: RotationQuestion): Wording {
  const again = vscode.l10n.t('Enter It Again');
  switch (question.kind) {
    case 'dashboardClosed':
      return {
        message: vscode.l10n.t(
          'The dashboard could not be opened. Rotate the key at {0}, then continue.',
          question.url,
        ),
        answers: { [vscode.l10n.t('Continue')]: 'continue' },
      };
    case 'refused':
      return {
        message: vscode.l10n.t('The service refused this key as unknown. The old key is still in place.'),
        answers: { [again]: 'again' },
      };
    case 'wrongType': {
      const { actual } = question;
      if (actual === undefined)
        return {
          message: vscode.l10n.t('The service says that this key is of another type.'),
          answers: { [again]: 'again' },
        };
      const name = TYPE_NAMES[actual];
      return {
        message: vscode.l10n.t('The service says that this is a {0} key.', name),
        answers: { [vscode.l10n.t('Store It as {0} Key', name)]: 'storeThere', [again]: 'again' },
      };
    }
    case 'unreachable':
      return {
        message: vscode.l10n.t('The key could not be tested: {0}', plain(question.error.message)),
        answers: {
          [vscode.l10n.t('Store It Untested')]: 'storeUntested',
          [vscode.l10n.t('Try Again')]: 'retry',
        },
      };
    case 'notSaved':
      return {
        message: vscode.l10n.t('The key could not be saved: {0}', plain(question.reason)),
        answers: { [again]: 'again' },
      };
  }
}

function noInterface(type: KeyType): ServiceError {
  return {
    kind: 'invalidRequest',
    message: vscode.l10n.t('This endpoint has no interface that takes a {0} key.', TYPE_NAMES[type]),
    hint: vscode.l10n.t('Add its URL to the endpoint profile.'),
  };
}
