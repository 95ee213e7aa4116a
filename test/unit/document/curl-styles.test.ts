// Commands of curl in the styles of documentation, browsers and shells (test/corpus/curlStyles.ts): each is read as what it
// was made from, and what is copied out of the block reads as the same block.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { looksLikeCurl, readCurl } from '../../../core/requests/curl/read';
import { parseDocument } from '../../../core/requests/document/document';
import { copyOffers } from '../../../core/requests/language/features/copyAs';
import { createLanguageService } from '../../../core/requests/language/service';
import { parseJson, printJson } from '../../../core/solana/json/json';
import { REQUESTS, STYLES, VALUES, type CurlRequest } from '../../corpus/curlStyles';

/** The body as the block has it, printed the one way. */
function wanted({ pieces }: CurlRequest): string {
  const text = pieces.map((piece) => {
    if (typeof piece !== 'string')
      return /^\d+$/.test(VALUES[piece.variable] ?? '')
        ? `"{{= ${piece.variable} }}"`
        : `{{$processEnv ${piece.variable}}}`;
    return piece.replaceAll('{{', '\\\\{{');
  });
  return printJson(parseJson(text.join('')));
}

function read(command: string): string {
  assert.ok(looksLikeCurl(command), command);
  const pasted = readCurl(command);
  assert.equal(pasted.kind, 'block', `${JSON.stringify(pasted)}\n${command}`);
  assert.deepEqual(pasted.keys, []);
  return pasted.text;
}

/** URL and body of a block. */
function partsOf(block: string): { readonly url: string; readonly body: string } {
  const document = parseDocument('a.jsonrpc', 1, block);
  const { requestLine, body, problems } = document.first;
  assert.deepEqual(problems, []);
  return { url: requestLine?.url?.text ?? '', body: printJson(parseJson(body?.text ?? '')) };
}

test('there are 300 commands at least, in ten styles at least', () => {
  assert.ok(STYLES.length >= 10);
  assert.ok(STYLES.length * REQUESTS.length >= 300);
});

for (const style of STYLES)
  describe(style.name, () => {
    for (const [nth, request] of REQUESTS.entries())
      test(request.title, () => {
        const command = style.write(request, nth);
        const block = read(command);
        assert.deepEqual(partsOf(block), { url: request.written ?? request.url, body: wanted(request) }, command);
        assert.equal(read(command.replaceAll('\n', '\r\n')), block);
      });
  });

describe('the commands of POSIX shells mean in bash what the table says', () => {
  for (const { name, write } of STYLES.filter(({ isPosix }) => isPosix))
    test(name, () => {
      const script = REQUESTS.map((request, nth) => `${write(request, nth).replace(/ \| jq.*$/, '')}\n`).join('');
      const curl = `curl() { for word; do :; done; local last=''; for word; do case $last in -d|--data|--data-raw|--data-binary|--json) if [ "$word" = @- ]; then cat; else printf %s "$word"; fi;; esac; case $word in -d?*) printf %s "\${word#-d}";; esac; last=$word; done; printf '\\0'; }\n`;
      const bodies = execFileSync('bash', ['-c', curl + script], {
        encoding: 'utf8',
        env: { ...VALUES, LC_ALL: 'C.UTF-8', PATH: process.env['PATH'] },
      })
        .split('\0')
        .slice(0, -1);
      const meant = REQUESTS.map(({ pieces }) =>
        pieces.map((piece) => (typeof piece === 'string' ? piece : (VALUES[piece.variable] ?? ''))).join(''),
      );
      assert.deepEqual(
        bodies.map((text) => printJson(parseJson(text))),
        meant.map((text) => printJson(parseJson(text))),
      );
    });
});

const service = createLanguageService({ surroundings: () => ({}), log: (message) => assert.fail(message) });

/** The block as a command of curl. */
function copied(block: string): string {
  const copies = service.copies(parseDocument('file:///a.jsonrpc', 1, block), 0, undefined, copyOffers);
  assert.equal(copies.kind, 'offers', JSON.stringify(copies));
  const written = copies.offers.find(({ form }) => form === 'curl')?.written;
  assert.equal(written?.kind, 'text', JSON.stringify(written));
  return written.text;
}

describe('copied as curl and pasted again', () => {
  for (const [nth, request] of REQUESTS.entries())
    test(`${request.title} is the same block`, () => {
      const block = read(STYLES[0]?.write(request, nth) ?? '');
      const again = read(copied(block));
      assert.equal(partsOf(again).url, partsOf(block).url);
      // Only what sending fills in may be new.
      const [before, after] = [block, again].map((text) => JSON.parse(partsOf(text).body) as object | object[]);
      if (!request.title.startsWith('digits') && before !== undefined && !('length' in before))
        assert.deepEqual(after, { jsonrpc: '2.0', id: 1, ...before });
      assert.equal(read(copied(again)), again);
      assert.equal(copied(again), copied(block));
    });
});
