// Tools for language models: list methods, check a text, run a request. Off this machine, and for every transaction, a
// person agrees first to a host and a method by name. No key is in any answer: the server redacts what it keeps.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { originOf } from '../../core/service/profiles/origin';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import { holdsKey, KEY_REFUSAL } from '../../core/requests/tools/keys';
import { MAX_ANSWER } from '../../core/requests/tools/limits';
import { DATA_NOTE } from '../../core/requests/tools/outside';
import { requestBlock, wantedRequest } from '../../core/requests/tools/request';
import { isSendingMethod } from '../../core/solana/wire/sending';
import { listMethods, validate, type ListMethodsParams, type ValidateParams } from '../../protocol/lsp';
import { hostOf } from '../profiles/origins';
import type { Profiles } from '../profiles/profiles';
import type { Responses } from '../responses/responses';
import type { Runs } from '../runs/runs';
import { plain, sentences } from '../shared/words';

export interface ToolDeps {
  readonly runs: Runs;
  readonly responses: Responses;
  readonly profiles: Profiles;
  readonly server: () => Promise<LanguageClient>;
}

interface RunInput {
  readonly method: string;
  readonly params?: readonly unknown[];
  readonly endpoint?: string;
}

export function registerTools(deps: ToolDeps): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.lm.registerTool('solanaRpc_listMethods', {
      async invoke({ input }: vscode.LanguageModelToolInvocationOptions<ListMethodsParams>, token) {
        requireTrust();
        const params: ListMethodsParams = typeof input.query === 'string' ? { query: input.query } : {};
        const found = await (await deps.server()).sendRequest(listMethods, params, token);
        return answer(found.map(({ signature, summary }) => `${signature} — ${summary}`).join('\n') || 'No method.');
      },
    }),
    vscode.lm.registerTool('solanaRpc_validate', {
      async invoke({ input }: vscode.LanguageModelToolInvocationOptions<ValidateParams>, token) {
        requireTrust();
        const params: ValidateParams = { text: String(input.text) };
        const found = await (await deps.server()).sendRequest(validate, params, token);
        return answer(JSON.stringify({ ok: found.every(({ severity }) => severity !== 'error'), findings: found }));
      },
    }),
    vscode.lm.registerTool('solanaRpc_run', new RunTool(deps)),
  );
}

class RunTool implements vscode.LanguageModelTool<RunInput> {
  /** The requests that the editor is asking about, or has: what was not asked is asked by us. */
  readonly #asked = new Set<string>();

  constructor(private readonly deps: ToolDeps) {}

  prepareInvocation({
    input,
  }: vscode.LanguageModelToolInvocationPrepareOptions<RunInput>): vscode.PreparedToolInvocation {
    requireTrust();
    const { method } = wantedRequest({ ...input });
    const placed = this.#place(input);
    const host = hostFor(placed, method);
    const invocationMessage = vscode.l10n.t('Sending {0} to {1}', plain(method), plain(host));
    if (!needsConsent(placed, method)) return { invocationMessage };
    this.#asked.add(keyOf(input));
    return { invocationMessage, confirmationMessages: question(host, method) };
  }

  async invoke(
    { input }: vscode.LanguageModelToolInvocationOptions<RunInput>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    requireTrust();
    if (holdsKey(input)) throw new Error(KEY_REFUSAL);
    const wanted = wantedRequest({ ...input });
    const { method } = wanted;
    const placed = this.#place(input);
    const wasAsked = this.#asked.delete(keyOf(input));
    // A transaction may be let through for good in the editor's own question; ours is asked for each one off this machine.
    const asksAgain = !wasAsked || (isSendingMethod(method) && placed.source !== 'local');
    if (needsConsent(placed, method) && asksAgain && !(await consent(hostFor(placed, method), method)))
      return answer('The user did not agree to send this request.');
    const place = { uri: vscode.Uri.from({ scheme: 'solana-tool', path: `/${method}` }), version: 0 };
    const variant = { kind: 'text', text: requestBlock(wanted), endpoint: placed.profile.name } as const;
    const result = await this.deps.runs.execute(place, undefined, { token, variant });
    if (result.kind === 'refused') return answer(`Refused: ${sentences(result.error)}`);
    const outcome = result.outcomes.at(-1);
    const error = outcome?.error;
    if (outcome?.response === undefined)
      return answer(error === undefined ? 'There was no answer.' : `Not sent: ${sentences(error)}`);
    const bytes = await this.deps.responses.readFile(this.deps.responses.refresh(outcome, outcome.response));
    const body = new TextDecoder().decode(bytes);
    return answer(body.length > MAX_ANSWER ? `${body.slice(0, MAX_ANSWER)}…\n(cut)` : body);
  }

  /** The endpoint that is named, else the local service. Throws a sentence for the model. */
  #place({ endpoint }: RunInput): PlacedProfile {
    const { profiles } = this.deps;
    const placed =
      typeof endpoint === 'string' ? profiles.find(endpoint) : profiles.list().find(({ source }) => source === 'local');
    if (placed !== undefined) return placed;
    const names = profiles.list().map(({ profile }) => profile.name);
    throw new Error(
      endpoint === undefined
        ? 'The local service is not running. The user starts it with the command "Solana RPC: Start Local Service".'
        : // The names may be those of a workspace; what is thrown is one text.
          `${DATA_NOTE}\n\nThere is no endpoint of that name. Endpoints: ${names.join(', ') || 'none'}.`,
    );
  }
}

/** Only the service that this extension started counts as this machine's: any other may cost something. */
const needsConsent = ({ source }: PlacedProfile, method: string): boolean =>
  source !== 'local' || isSendingMethod(method);

/** The host of a request, without the rest of the URL; subscriptions may use a different one. */
const hostFor = ({ profile }: PlacedProfile, method: string): string =>
  hostOf(originOf((/(?:Uns|S)ubscribe$/.test(method) ? profile.wsUrl : profile.rpcUrl) ?? '') ?? '');

const question = (host: string, method: string): { title: string; message: string } => ({
  title: vscode.l10n.t('Send {0} to {1}?', plain(method), plain(host)),
  message: vscode.l10n.t('A language model wants to send {0} to {1}.', plain(method), plain(host)),
});

async function consent(host: string, method: string): Promise<boolean> {
  const { title, message } = question(host, method);
  const send = vscode.l10n.t('Send');
  return (await vscode.window.showWarningMessage(title, { modal: true, detail: message }, send)) === send;
}

const keyOf = ({ method, params, endpoint }: RunInput): string => JSON.stringify([method, params, endpoint]);

function requireTrust(): void {
  if (!vscode.workspace.isTrusted) throw new Error('This workspace is not trusted: the user has to trust it first.');
}

/** The label is a part of the result by itself: no text can end it. */
const answer = (text: string): vscode.LanguageModelToolResult =>
  new vscode.LanguageModelToolResult([DATA_NOTE, text].map((part) => new vscode.LanguageModelTextPart(part)));
