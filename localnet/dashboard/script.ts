// The dashboard's script, as text for the page. Everything from the service is put in as text, never as HTML; the admin
// token stays in memory and goes out as a header only.

export const SCRIPT = String.raw`
'use strict';
(() => {
  const token = decodeURIComponent(location.hash.slice(1));
  // Out of the address bar, the history and what a person may copy from there.
  history.replaceState(null, '', location.pathname);
  const byId = (id) => document.getElementById(id);
  const status = byId('status');
  const time = (seconds) => (seconds === null ? 'never' : new Date(seconds * 1000).toLocaleString());

  function say(text, bad = false) {
    status.textContent = text;
    status.classList.toggle('bad', bad);
  }

  async function local(method, path, body) {
    const response = await fetch('/local' + path, {
      method,
      headers: { authorization: 'Bearer ' + token, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    const answer = text === '' ? undefined : JSON.parse(text);
    if (!response.ok) throw new Error(answer?.error?.message ?? 'The service answered ' + response.status);
    return answer;
  }

  function element(name, text, classes) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (classes) made.className = classes;
    return made;
  }

  function button(text, label, act, classes) {
    const made = element('button', text, classes);
    made.type = 'button';
    made.setAttribute('aria-label', label);
    made.addEventListener('click', () => attempt(act));
    return made;
  }

  function cell(...parts) {
    const made = element('td');
    made.append(...parts);
    return made;
  }

  function planSelect(key) {
    const select = byId('plans').cloneNode(true);
    select.removeAttribute('id');
    select.removeAttribute('name');
    select.setAttribute('aria-label', 'Plan of ' + key.keyId);
    select.value = key.plan;
    select.addEventListener('change', () =>
      attempt(() => local('PATCH', '/keys/' + key.keyId, { plan: select.value }), 'Plan changed'),
    );
    return select;
  }

  function row(key) {
    const made = element('tr');
    const name = cell(key.label || '(no label)', element('small', key.keyId));
    const type = { rpc: 'RPC Key', grpc: 'gRPC Key', swqos: 'SWQoS Key' }[key.type] ?? key.type;
    const living = key.state !== 'revoked';
    const actions = cell();
    if (key.state === 'suspended') {
      actions.append(
        button('Restore', 'Restore ' + key.keyId, () => local('PATCH', '/keys/' + key.keyId, { state: 'active' })),
      );
    }
    if (living) {
      actions.append(
        button('Rotate', 'Rotate ' + key.keyId, async () => {
          if (!confirm('Rotate ' + key.keyId + '? The present key stops working at once.')) return;
          showSecret(await local('POST', '/keys/' + key.keyId + '/rotate'));
        }),
        button(
          'Revoke',
          'Revoke ' + key.keyId,
          async () => {
            if (confirm('Revoke ' + key.keyId + ' for good?')) await local('DELETE', '/keys/' + key.keyId);
          },
          'bad',
        ),
      );
    }
    made.append(
      name,
      cell(type),
      cell(living ? planSelect(key) : key.plan),
      cell(element('span', key.state, key.state)),
      cell(time(key.lastUsedAt)),
      actions,
    );
    return made;
  }

  function showSecret(issued) {
    byId('secret-text').textContent = issued.key;
    byId('secret').hidden = false;
    byId('secret-text').focus();
  }

  function closeSecret() {
    byId('secret-text').textContent = '';
    byId('secret').hidden = true;
  }

  /** Keyboard users keep their place: the control of the same name is focused again. */
  function drawRows(keys) {
    const table = byId('keys');
    const focused = table.contains(document.activeElement) ? document.activeElement.getAttribute('aria-label') : null;
    table.replaceChildren(...keys.map(row));
    if (focused === null) return;
    const again = [...table.querySelectorAll('button, select')].find((one) => one.getAttribute('aria-label') === focused);
    (again ?? byId('create').elements.type).focus();
  }

  async function showKeys() {
    const { keys } = await local('GET', '/keys');
    drawRows(keys);
    const choice = byId('usage-key');
    const chosen = choice.value;
    if (choice !== document.activeElement) {
      const all = element('option', 'All keys');
      all.value = '';
      choice.replaceChildren(
        all,
        ...keys.map((key) => {
          const option = element('option', (key.label || key.type) + ' · ' + key.keyId);
          option.value = key.keyId;
          return option;
        }),
      );
      choice.value = chosen;
    }
  }

  async function showUsage() {
    const keyId = byId('usage-key').value;
    const from = Math.floor(Date.now() / 1000) - Number(byId('usage-range').value);
    const usage = await local('GET', (keyId ? '/keys/' + keyId : '') + '/usage?from=' + from);
    const errors = usage.methods.reduce((sum, method) => sum + method.errors, 0);
    byId('usage-total').textContent = usage.request_count + ' requests, ' + errors + ' errors';
    const most = Math.max(1, ...usage.methods.map((method) => method.count));
    byId('usage').replaceChildren(
      ...usage.methods.map((method) => {
        const bar = element('progress');
        bar.max = most;
        bar.value = method.count;
        bar.setAttribute('aria-label', method.method + ': ' + method.count + ' requests');
        const counts = element('span', String(method.count));
        if (method.errors > 0) counts.append(' ', element('span', method.errors + ' errors', 'errors'));
        const item = element('li');
        const name = element('span', method.method, 'name');
        name.title = method.method;
        item.append(name, bar, counts);
        return item;
      }),
    );
    if (usage.methods.length === 0) byId('usage').append(element('li', 'No requests in this range.'));
  }

  function showForked(fork) {
    const size = fork.bytes < 1024 * 1024 ? Math.ceil(fork.bytes / 1024) + ' kB' : (fork.bytes / 1024 / 1024).toFixed(1) + ' MB';
    byId('fork-facts').textContent =
      'Of ' + fork.source + ': ' + fork.fetched + ' accounts fetched, ' + size + ', and ' + fork.absent +
      ' that do not exist there, with ' + fork.reads + ' reads since the start. Every other account is of this ledger alone.';
    byId('fork-newest').replaceChildren(
      ...fork.newest.slice(0, 50).map(({ address, slot, exists }) => {
        const made = element('tr');
        const name = element('td');
        name.append(element('code', address));
        made.append(name, cell(String(slot)), cell(exists ? 'yes' : 'no'));
        return made;
      }),
    );
  }

  async function refresh() {
    await showKeys();
    await showUsage();
    if (byId('fetch') !== null) showForked(await local('GET', '/fork'));
  }

  let last = Promise.resolve();
  let pending = 0;
  /** Runs an action after those before it: the late end of an older one would hide the result of a newer one. */
  function inTurn(act) {
    pending++;
    last = last.then(act).catch((error) => say(error.message, true)).finally(() => pending--);
  }

  function attempt(act, done) {
    inTurn(async () => {
      await act();
      await refresh();
      say(done ?? 'Updated ' + new Date().toLocaleTimeString());
    });
  }

  byId('create').addEventListener('submit', (event) => {
    event.preventDefault();
    const form = event.target;
    const { type, label, plan } = Object.fromEntries(new FormData(form));
    attempt(async () => {
      showSecret(await local('POST', '/keys', { type, label, plan }));
      form.elements.label.value = '';
    }, 'Key created');
  });
  byId('fetch')?.addEventListener('submit', (event) => {
    event.preventDefault();
    const form = event.target;
    const { kind, address } = Object.fromEntries(new FormData(form));
    attempt(async () => {
      const given = kind === 'addresses' ? address.split(/[\s,]+/).filter((one) => one !== '') : address.trim();
      showForked(await local('POST', '/fork', { [kind]: given }));
      form.elements.address.value = '';
    }, 'Fetched');
  });
  byId('secret-close').addEventListener('click', closeSecret);
  byId('secret-copy').addEventListener('click', () =>
    attempt(() => navigator.clipboard.writeText(byId('secret-text').textContent), 'Key copied'),
  );
  for (const id of ['usage-key', 'usage-range']) {
    byId(id).addEventListener('change', () => inTurn(showUsage));
  }

  if (token === '') {
    say('Open this page with the admin token behind "#" in its address. The service prints it when it starts.', true);
    byId('main').hidden = true;
    return;
  }
  attempt(refresh);
  setInterval(() => {
    // A list that is open would close under the reader's hand.
    if (pending === 0 && !document.hidden && document.activeElement?.tagName !== 'SELECT') inTurn(refresh);
  }, 5000);
})();
`;
