// Compares the redactor with a plain one over whole texts: random echoes of random keys, cut at random places.
import { redact, SecretPatterns } from '../../../core/service/redaction/redact';
import { StreamRedactor } from '../../../core/service/redaction/stream';
import { chance, type Chance } from '../../contract/endurance/fuzz-random';
import { echoOf, noiseOf, plainRedactor, unescapedDeep } from '../../support/data/echoes';

/** Keys that begin like an escape, repeat themselves, or consist of what encoders escape. */
const KEYS = [
  'sk-live+7/Qw9=zzzABCDEF012345',
  'n3b5c1d2-1111-4222-8333-abcdefabcdef',
  'u0041bcdef0123456789',
  'aaaaaaaaaaaa',
  '+/+/=_.',
  'abcdef',
];
/** The plain redactor does not know these. */
const ODD_KEYS = ['100%25&amp;\\u0041key', '\\\\"quoted"\\', 'schlüssel-✓-😀'];

export interface Comparison {
  readonly texts: number;
  readonly cuts: number;
  readonly problems: readonly string[];
}

export function compareRedactors(texts: number, seed: number): Comparison {
  const random = chance(seed);
  const known = KEYS.map((key) => ({ secrets: [key], plain: plainRedactor([key]) }));
  const two = KEYS.slice(0, 2);
  const subjects = [
    ...known,
    { secrets: two, plain: plainRedactor(two) },
    ...ODD_KEYS.map((key) => ({ secrets: [key], plain: undefined })),
  ].map((subject) => ({ ...subject, patterns: new SecretPatterns(subject.secrets) }));
  const problems: string[] = [];
  let cuts = 0;
  for (let turn = 0; turn < texts; turn++) {
    const { secrets, plain, patterns } = random.pick(subjects);
    const text = textWith(random.pick(secrets), random);
    const whole = redact(text, patterns);
    const complain = (what: string, found: string): void => {
      if (problems.length < 10)
        problems.push(`${what}\n  text  ${JSON.stringify(text)}\n  found ${JSON.stringify(found)}`);
    };
    if (plain !== undefined) {
      const expected = plain(text);
      if (whole !== expected) complain(`Expected ${JSON.stringify(expected)}`, whole);
    }
    for (const secret of secrets) if (unescapedDeep(whole).includes(secret)) complain('A key is left.', whole);
    for (let times = 0; times < 6; times++, cuts++) {
      const streamed = inPieces(text, patterns, random);
      if (streamed !== whole) complain(`Expected as without cuts: ${JSON.stringify(whole)}`, streamed);
    }
  }
  return { texts, cuts, problems };
}

function textWith(secret: string, random: Chance): string {
  let text = '';
  for (let pieces = 1 + random.below(6); pieces > 0; pieces--)
    text += random.once(2) ? echoOf(secret, random) : noiseOf(secret, random);
  if (random.once(4)) text = JSON.stringify(text);
  if (random.once(8)) text = JSON.stringify(text);
  // A surrogate without its other half has no UTF-8.
  return Buffer.from(text).toString();
}

function inPieces(text: string, patterns: SecretPatterns, random: Chance): string {
  const bytes = Buffer.from(text);
  const most = random.pick([1, 2, 5, 20, bytes.length + 1]);
  const stream = new StreamRedactor(patterns);
  const out: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const next = at + 1 + random.below(most);
    out.push(stream.push(bytes.subarray(at, next)));
    at = next;
  }
  out.push(stream.end());
  return Buffer.concat(out).toString();
}
