// GET /dashboard: one page without any outside resource. The admin token is not in it: the page takes it from the
// fragment of its address, which a browser never sends.
import { randomBytes } from 'node:crypto';
import { PLANS } from '../keys/plans';
import { KEY_TYPE_NAMES } from '../keys/keyring';
import type { HttpReply } from '../http/answer';
import { SCRIPT } from './script';
import { STYLE } from './style';

/** The requests that POST /local/fork takes, in words. */
const FORK_ORDERS = [
  ['addresses', 'these accounts'],
  ['program', 'all accounts of a program'],
  ['owner', 'all token accounts of an owner'],
] as const;

/** `isFork`: the ledger fetches accounts of another endpoint, which the page shows then. */
export function dashboard(isFork: boolean): HttpReply {
  const nonce = randomBytes(16).toString('base64');
  return {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    headers: {
      'content-security-policy': [
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        `style-src 'nonce-${nonce}'`,
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    },
    body: html(nonce, isFork),
  };
}

/** Only names from this program's own tables are put into the text. */
function options(names: readonly (readonly [value: string, text: string])[], chosen: string): string {
  return names
    .map(([value, text]) => `<option value="${value}"${value === chosen ? ' selected' : ''}>${text}</option>`)
    .join('');
}

function html(nonce: string, isFork: boolean): string {
  const plans = Object.entries(PLANS).map(
    ([name, { rps, sendPerSecond }]) => [name, `${name} (${rps}/s, ${sendPerSecond} sends/s)`] as const,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Local service: API keys and usage</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<header>
  <h1>Local service</h1>
  <p id="status" role="status" aria-live="polite">Loading…</p>
</header>
<main id="main">
  <section aria-labelledby="keys-title">
    <h2 id="keys-title">API keys</h2>
    <form id="create">
      <label>Type <select name="type">${options(Object.entries(KEY_TYPE_NAMES), 'rpc')}</select></label>
      <label>Label <input name="label" maxlength="100" autocomplete="off" placeholder="what uses it"></label>
      <label>Plan <select name="plan" id="plans">${options(plans, 'Dev')}</select></label>
      <button class="main">Create key</button>
    </form>
    <div id="secret" class="secret" hidden>
      <p>This is the only time the key is shown. Copy it now.</p>
      <code id="secret-text" tabindex="0"></code>
      <button id="secret-copy" type="button">Copy</button>
      <button id="secret-close" type="button">Done</button>
    </div>
    <div class="scroll">
      <table>
        <thead><tr>
          <th scope="col">Key</th><th scope="col">Type</th><th scope="col">Plan</th><th scope="col">State</th>
          <th scope="col">Last used</th><th scope="col"><span class="hidden-text">Actions</span></th>
        </tr></thead>
        <tbody id="keys"></tbody>
      </table>
    </div>
  </section>
  <section aria-labelledby="usage-title">
    <h2 id="usage-title">Usage</h2>
    <div class="row">
      <label>Key <select id="usage-key"><option value="">All keys</option></select></label>
      <label>Range <select id="usage-range">
        <option value="3600">1 hour</option><option value="86400" selected>24 hours</option>
        <option value="604800">7 days</option><option value="2592000">30 days</option>
      </select></label>
      <p id="usage-total"></p>
    </div>
    <ol id="usage" class="bars"></ol>
  </section>${isFork ? forkSection() : ''}
</main>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>
`;
}

function forkSection(): string {
  return `
  <section aria-labelledby="fork-title">
    <h2 id="fork-title">Fork</h2>
    <p id="fork-facts"></p>
    <form id="fetch">
      <label>Fetch <select name="kind">${options(FORK_ORDERS, 'addresses')}</select></label>
      <label>Address <input name="address" required autocomplete="off" spellcheck="false" size="48" placeholder="base58, several with blanks between"></label>
      <button>Fetch now</button>
    </form>
    <div class="scroll">
      <table>
        <thead><tr>
          <th scope="col">Fetched account</th><th scope="col">At slot</th><th scope="col">There</th>
        </tr></thead>
        <tbody id="fork-newest"></tbody>
      </table>
    </div>
  </section>`;
}
