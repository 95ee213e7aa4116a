// Commands that were copied from a terminal: prompts of shells in front of their lines, and output behind them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readAllCurl } from '../../../core/requests/curl/several';

const URL_ = 'https://host.example/sol';

describe('commands copied from a terminal', () => {
  const OUTPUT = '{"jsonrpc":"2.0","result":1,"id":1}';
  const rows: readonly (readonly [what: string, text: string])[] = [
    ['bash', `$ curl ${URL_} \\\n>   -d '{\n> "method":\n>\n> "getSlot"\n> }'\n${OUTPUT}\n$ `],
    ['bash, without the first prompt', `curl ${URL_} \\\n> -d '{ "method": "getSlot" }'\n${OUTPUT}`],
    ['zsh', `anna@mac ~ % curl ${URL_} \\\n> -d '{\nquote> "method": "getSlot"\nquote> }'\n${OUTPUT}\nanna@mac ~ %`],
    [
      'zsh in double quotes',
      `% curl ${URL_} -d "{\ndquote> \\"method\\": \\"getSlot\\"\ndquote>\ndquote> }"\n${OUTPUT}%`,
    ],
    ['zsh with a document', `% curl ${URL_} -d @- <<'EOF'\nheredoc> { "method": "getSlot" }\nheredoc> EOF\n${OUTPUT}`],
    ['zsh that names two', `% curl ${URL_} \\\ncmdsubst quote> -d '{ "method": "getSlot" }'`],
    ['PowerShell', `PS C:\\> curl.exe ${URL_} \`\n>> -d '{ \\"method\\": \\"getSlot\\" }'\n\n${OUTPUT}`],
    ['cmd', `C:\\a>curl ${URL_} ^\nMore? -d "{ \\"method\\": \\"getSlot\\" }"\n${OUTPUT}\nC:\\a>`],
    ['curl -v', `$ curl -v ${URL_} -d '{ "method": "getSlot" }'\n> POST / HTTP/1.1\n> 'x\n< HTTP/1.1 200\n${OUTPUT}`],
    ['another shell', `bash-5.2# curl ${URL_} -d '{ "method": "getSlot" }'\n${OUTPUT}`],
    ['brackets', `[anna@box ~]$ curl ${URL_} -d '{ "method": "getSlot" }'\n${OUTPUT}`],
    ['a folder', `~/a/b $ curl ${URL_} -d '{ "method": "getSlot" }'\n${OUTPUT}`],
    ['a theme of zsh', `➜  app git:(main) ✗ curl ${URL_} -d '{ "method": "getSlot" }'\n${OUTPUT}`],
  ];
  for (const [what, text] of rows)
    test(`of ${what} lose prompts and output`, () => {
      const { blocks, reasons } = readAllCurl(text);
      assert.deepEqual(reasons, []);
      assert.equal(blocks.length, 1);
      assert.match(
        blocks[0]?.text ?? '',
        /^### getSlot\nPOST https:\/\/host\.example\/sol\n\n\{ "method":"getSlot" \}\n$/,
      );
    });
});
