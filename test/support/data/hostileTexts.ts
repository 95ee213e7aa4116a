// Texts that a service, a memo or a name may hold and that must be shown as they are: none may become an element, a link, a
// command, an icon or a direction of writing.
export const HOSTILE: readonly string[] = [
  '<img src=x onerror="window.hacked=1">',
  '<script>window.hacked=1</script>',
  '"><svg onload=window.hacked=1>',
  'javascript:window.hacked=1',
  '[a link](command:workbench.action.quit)',
  'command:workbench.action.closeWindow',
  '$(trash) $(x~spin)',
  '**bold** `code` ![image](https://x.example/a.png)',
  '\u202eright to left\u202c \u2066isolated\u2069',
  '\u001b[31mred\u001b[0m \u0007 \u0000 end',
  '{{7*7}} ${window.hacked=1} {0} {1}',
  `one long line ${'x'.repeat(1_000_000)}`,
];

/** One text with something for every sink: terminals, build servers, Markdown, SARIF, XML, HTML, CSV, shells, icons of the editor. */
export const EVERY_SINK = [
  'start \u001b[31mred\u001b[0m \u009b2J \u0000 \u0007',
  '\u202eturned\u202c \u2066apart\u2069 \u200bhidden\u200d \u{e0041}',
  '`one` ``two`` ````three````',
  '[x](command:workbench.action.quit) ![x](http://127.0.0.1/a.png) <http://127.0.0.1/b> http://127.0.0.1/c www.sink.example me@sink.example',
  '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> &lt;b&gt; ]]> -->',
  '# heading\r* item\r\n> quote\n---\n1. one',
  '$(trash) $(sync~spin)',
  '::error file=a.jsonrpc,line=1::forged',
  '##[error]forged ##vso[task.setvariable variable=x]y ##teamcity[buildStop]',
  'a.jsonrpc:1:1: error forged: x',
  "=cmd|' /C calc'!A0 ;=1+1 \t=2 ,=3",
  '{0} {{1}} [link](1) [link](sarif:/runs/0)',
  '\'"$(touch hacked)`touch hacked`\\ %PATH% !x! ^ & | ${HOME}',
  'x'.repeat(20_000),
].join('\n');

/** Characters that no line for people may contain: control characters but the line feed, and hiding or turning ones. */
export const UNSEEN = /[\0-\t\v-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/u;

const LINES = EVERY_SINK.split(/[\r\n]+/);

/** The text for every sink, its lines, and each of them in the middle of a line. */
export const SINK_TEXTS: readonly string[] = [EVERY_SINK, ...LINES, ...LINES.map((line) => `a ${line} b`)];
