// The box that asks for a variable before a request is sent: what is typed is checked by the parameter that it fills.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { checkPrompt, type PromptParams } from '../../protocol/lsp';
import { plain } from '../shared/words';

/** The value; null where the box was left. */
export async function askVariable(
  client: LanguageClient,
  { uri, name, label, hint }: PromptParams,
  token: vscode.CancellationToken,
): Promise<string | null> {
  const validateInput = async (text: string): Promise<string | undefined> => {
    // Before anything is typed nothing is wrong.
    if (text === '') return undefined;
    const fault = await client.sendRequest(checkPrompt, { uri, name, text }, token);
    return fault === null ? undefined : plain(fault);
  };
  const title = plain(label === '' ? name : label);
  const box = { title, prompt: plain(hint ?? name), ignoreFocusOut: true, validateInput };
  return (await vscode.window.showInputBox(box, token)) ?? null;
}
