// The proxy of VS Code's own settings, as the user set it: a workspace's value never counts.
import * as vscode from 'vscode';
import { Secret } from '../../core/secret';
import type { ProxySetting } from '../../protocol/lsp';

/** Undefined where nothing is set: then the environment says. */
export function proxySetting(): ProxySetting | undefined {
  if (own('proxySupport') === 'off') return { kind: 'direct' };
  const text = own('proxy');
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  const { url, credentials } = parts(text.trim());
  const rules = own('noProxy');
  const noProxy = Array.isArray(rules) ? rules.filter((rule) => typeof rule === 'string') : [];
  return { kind: 'proxy', url, noProxy, hasCredentials: credentials !== undefined };
}

/** `user:password` of the setting, for the proxy at exactly this URL. */
export function proxyCredentials(wanted: string): Secret | undefined {
  const text = own('proxy');
  const { url, credentials } = parts(typeof text === 'string' ? text.trim() : '');
  return url === wanted && credentials !== undefined ? new Secret(credentials) : undefined;
}

const own = (name: string): unknown => vscode.workspace.getConfiguration('http').inspect(name)?.globalValue;

function parts(text: string): { readonly url: string; readonly credentials?: string } {
  const [, scheme = '', user, rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(?:([^/?#]*)@)?(.*)$/is.exec(text) ?? [];
  return { url: scheme + rest, ...(user !== undefined && user !== '' && { credentials: decoded(user) }) };
}

/** A user without a password has a colon all the same. */
function decoded(user: string): string {
  const at = user.indexOf(':');
  const [name, password] = at < 0 ? [user, ''] : [user.slice(0, at), user.slice(at + 1)];
  try {
    return `${decodeURIComponent(name)}:${decodeURIComponent(password)}`;
  } catch {
    return `${name}:${password}`;
  }
}
