// The proxy of VS Code's own settings, as the user set it: a workspace's value never counts.
import * as vscode from 'vscode';
import { plainUser } from '../../core/service/providers/urlText';
import { Secret } from '../../core/service/keys/secret';
import type { ProxySetting } from '../../protocol/lsp';
import type { ProxyQuestion } from '../../protocol/secrets';

/** Undefined where nothing is set: then the environment says. */
export function proxySetting(): ProxySetting | undefined {
  if (own('proxySupport') === 'off') return { kind: 'direct' };
  const { url, user } = parts();
  const rules = own('noProxy');
  const noProxy = Array.isArray(rules) ? rules.filter((rule) => typeof rule === 'string' && rule.trim() !== '') : [];
  const credentials = header() !== undefined ? 'header' : user !== undefined ? 'user' : 'none';
  if (url === undefined && noProxy.length === 0 && credentials === 'none') return undefined;
  return { kind: 'proxy', ...(url !== undefined && { url }), noProxy, credentials };
}

/** The user's credentials for exactly this proxy; without a URL, for the proxy of the environment. */
export function proxyCredentials({ url: wanted, as }: ProxyQuestion): Secret | undefined {
  const { url, user } = parts();
  const text = as === 'header' ? header() : user;
  return url === wanted && text !== undefined ? new Secret(text) : undefined;
}

const own = (name: string): unknown => vscode.workspace.getConfiguration('http').inspect(name)?.globalValue;

/** The whole value of Proxy-Authorization. */
function header(): string | undefined {
  const text = own('proxyAuthorization');
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

/** The URL without user name and password, and these. */
function parts(): { readonly url?: string; readonly user?: string } {
  const text = own('proxy');
  if (typeof text !== 'string' || text.trim() === '') return {};
  const [, scheme = '', user, rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(?:([^/?#]*)@)?(.*)/is.exec(text.trim()) ?? [];
  return { url: scheme + rest, ...(user !== undefined && user !== '' && { user: plainUser(user) }) };
}
