// Zstandard frames as the reference compressor makes them, and what is left of damaged ones.
import assert from 'node:assert/strict';
import test from 'node:test';
import { unzstd } from '../../../core/solana/encoding/zstd';
import { decodeItems } from '../../../core/service/response/decodable';
import { NO_PROGRAMS } from '../../../core/solana/decode/decoded';

const MOST = 1_000_000;

const LINES = Buffer.from(Array.from({ length: 150 }, (_, i) => `${i}: lamports ${(i * 7919) % 1_000_003}\n`).join(''));
const SPARSE = Uint8Array.from({ length: 4_000 }, (_, i) => (i % 5 === 0 ? (i * i) >> 4 : 0));

/** Made with zstd 1.5.4 at the levels 1 and 19: content, frame in base64. */
const FRAMES: readonly (readonly [name: string, content: Uint8Array, frame: string])[] = [
  [
    'lines at level 1',
    LINES,
    'KLUv/WTBCnUWACpEJAgVsCWFDmxgAxUk0dKklEkmmY7vRE4HfwB7AH4AQjE5Zxq7W29sGnxjFBzSWJHFjYUY5dV2jWHbBSnYzkUS2snUVHcJob' +
      'oJljpiPeyq+rMLHe8g5GqpyUXvIOcwLzmhIZL7KZDcuBoYHDVIlavAIXKhWIHjlFOrRJwWYZGZKeNPSkr2OcMbmWiMgoRdsYYLAwIFBgQQAICg' +
      'YDAQAiMzOsPIrNxeZmFG+pavZQr5YiSEfJa38kmMKd9JD/JNEdVHU6G+khD0hY/t3LKGKLEsKCiW+Q5bJhYJy95PLZswRcuIhrSsThEsC1JSMk' +
      'Yg8koG8qLYCc9TPzyRuIT3MDm8oQSHRyWN8Gruhhc8mihErK0QIhYhRMVMIRWhwEXEmAJnuoICJ2UGBe4jUQrcyIUUOIqZQIErUlXgQihW4EgV' +
      'VOvDZ2ph0qfmNnxqEqIytVPYU5v7MTWyUKdWfejUQo01DkPr0IsWUkQ0RyDRhIw57UX5aTMdOY0kyqdVmD4t0Bgu/az04WfxqfCZTQyfSStq9h' +
      'BOs6FAAaNWDcsdkn2OL7zJFAfTbjDssj5JU2BwCGyZPlwf6lyYPOc2hJMQYu4UE9zcxZGFXPVBLnCknGumyslQUblLkcpNBE+VI/KvclUkKS6U' +
      '46MucrUdRS4qb5FzOLHICT2wyP3TUOTG5CJHrRNxFUJxgRyHcQpcJYCrqDACo0Riz91go5JJGxAqceWeAylECjFFSBHSiBQihZgipAic/iNu4V' +
      '91DQCtewj4Uj5yeSwuAXrug1oAQaoRpr8RhwhkFlnkWUXv74Wg+w0j/xGrKFTkFEWKjKJAkU/kxDZhTIRSJmOp0SnHaT49HSw/2ln4ex6yXn74' +
      'nPPrNsSal4+IYfz9spo9UH1qlj9c7PYQpwBYRs2D24kMbi2hEpFE1KyGhEdcxEM0iH+od5MoMnkepQudxhrpNIIjjBQ9qD0y',
  ],
  [
    'lines at level 19',
    LINES,
    'KLUv/WTBClUVAPpLBAkUsCXFBmxgAxUk0WqR3TuTHN+JnA6OAIoAiQB2pshF2ExH+Mq8xRiZQ60aky53s8Qlmxb3iHn2ec2oKYfZoTuhuComdM' +
      '0t4c8mhIRTVyOkibgLyxWz0CovEd4JUYVhthCWHnOlfORWWuiu8lEkVI6VTUlk0Zf1k6hLk5iT8qJlLSPKlrSOMjYZ7c8U36kT5+aGVFSfNWUx' +
      'zTYVXq/KGAgKBgIEAAiFYRABRVNdFX9rEBVHzjdFiiB7sSzMRaNGSfEuQi2G/Ylie/oR5W5GdE24iB8SIeK43iFSjWJOrDMz0erihHgTthLjnQ' +
      'piRYpuKOGzoc2dGp7u03A+4xmSUMmHFXUemlUrwyNzvMOYm4thHXantGF2+ipV50tOdM6YZk7y7Wd14j7tRiznFV16BhU1zt4C05KoJO4t6/Zz' +
      'S5Mjk5YXcW0ZF61o2arpopSRGYvSdr2ifH8U5dzriZJqLI+yhqaO0lwVJlFe7RplRFk72x2FgsqOfq2OFwmi44Rl5kjm/8eik320j8nxhEJ6jJ' +
      'Y0jr161BmljM6MnrMy3lEj47SuMdJ16MYqqbHRxifG8/saQ8YOY4NGrihGVQs0ubuXFyFlL+PiVC9bpaGXMmLz0nb8L9+L/XLuF3lJNdS+rCGL' +
      'l+aK6Lm8mpy5jLhbuawdFbkUihuXfkt3eRGPXU54Li7JXK7Lol+4tE9FyhNyTcpoTUn5qzqScspupKS52qUsx8tSWkskUt7VKmWYxISUJcuvpf' +
      'y3tbQMSbV8kFHLMYoGgJWoEEYIYV7bDNBzZQ0QvoMdxmTA36HAMyfTDPLg9qUC+/WREJDARioko9w2hTMSMuGehMTAISSLhYndrdCDhVOqgIPB' +
      'MtATWXbiSqqAXcDnQd8PAXbbXEmGisEOW+0KLS7cTgE9qD0y',
  ],
  [
    'sparse at level 1',
    SPARSE,
    'KLUv/WSgDn0qAAaqXQwgvO3/////1249hlI9AE8AWgBFfAB7IlfKvZ1QPD7bhy/2b77DM3tAb+Phfatv8zDe3v96Rr/lXbyB7/a5HtPreTCP5G' +
      'k8ibfwC57AA/gBaTn5dS/eWgtIb2TA8+LzPw68M02fRsKrM/alDj0bKg/Ewfsh+AQUWHyPKI9G0IMi9wzEvKQvtoaser+D0EML8XKQvYg+z21U' +
      'g79j7rE0+1m+yx5b7aywguAnn7Iyf4tMk8d1adAHCARr2wQptdb8H4p438vLzziHqs6JL6HiYyRxU+g/mXgoF/7Jsn/Q6dMpwvGUft5XeV0/4h' +
      'uJ0/LVpjw1cK8G3yfy8J/ndYEoQO9vV5Ec14YEmXPqjZyJo+DLo0XJVrwzlCrakWlL5O0bdyMTByJ5/Ma5+gPnVRgMz2TM+wonD91HYufppxwz' +
      'JCBChkkb9M3Ck6LCO7LESZsZb7FErZImY9MTQ2TqnpIPpuN9PePy7L7tcPekNDw2ej9MiDBVX4lOgk2oksUkdI29NgPiCCAEoTgaK8wPEsBhjs' +
      'QPYbJhtRSRTogyN8dZiT+ELjkdzwziUZxQfpt5XR2f/meKBj95sXEynCu/Bnox502EgFR5NBUFv0jJgQD2/Ewx5LIYXyEX5/T1f/hteAV+kqtd' +
      'lC4o/nF+ulXarSYZls9EAy6awl99YdDTGnBM5AS+WDWcAW8QOyKeE5i6/cOgGaxzeP29I18iwnxdQYutroC8HSHNYKxDMhgR5tURPv7PdA8SUx' +
      'wAe8mF/HZlA2rJiiZpYcGfZc31464sG+iLa0UyTznyf88bgvId40WspEnehjl62hxsVFfjrIayEyp2L5CT3M3KOPfAauuLv9OPPgb4W0ea/cNA' +
      'hiXKT+ZFF7a+w3IcTzTXdiBrcPF1iwpQ9Sgtu7iA15VDed10VPzYFaOuSJj+cHICz38pppRwE8KRD4twpgc/o3OoZ6e5W/OrqzIyfqnEKZ5qPA' +
      'akiZOpGQPHPiz2eEABTfd87HsOWbHdmEOdbk2aFJ3/5dRaIz/yFcUCDPlljtlG+UIFH27OGYcU2gh9+Yv4LaOgjoo9VqImp6Ffbto/RsgNx5v+' +
      'Nl7o9bSMQKg27Zhu6TDLgLiynDXY+6AV2WKcmAdkd7L4WIUDE1jb0g+TwdgFv2O4GCqr6ooK95Ee4NzAZNM19kuoP0OIaDSCXQpC2MKgiElW3s' +
      'MPij4hq79wDqdsVQZ1OqK35js2H1EtCWM8BXClzrhVX22CEMh3z7T/U4r9IJJYCiZoR6y3JNVEURiZDbOqpehzaUO23CoH9VGPUepIu0yprv8k' +
      'Y/Tr2DSB026lfUTYehZtZqip7mlCC6xrMl2EGftOBq21EMM7ZM/GD///Ob6Qp16f+8mfVDKrrtG/+V8vBL05d/BHcWNOBIoBJH9lo6I+PDDdp0' +
      'pxAnSmA4lVEFd8oFKrBIfFJjDKdhsGYPa5AjbxHeMb46OaxjLZ1gG6tRVPhkR7sdbI+FgYylkrkG/40E0rEUdHiuWgWtUZpi597ZLDqHIaMwL4' +
      'yn8dsVXfuY1AfHHrEy1TdGK/gpg1aSCn7Ie3B9YGoi6QcAh64P1Bn5/XCxZPNWwP69yDd/hs7kZSNQOQfrSCKaQetEfagDhhGlQ7eUz1kCaYM/' +
      'gjTJ0sUZjxEaZFrS2jRZOA8sDNW5+d0KHgqGooIAE0lzzR5+coHPmRmHAwZF5l8nsKZNeAnm3256+cZADr8ZNsrOw9cDgnLprODIHxwMI5PRwy' +
      'ChOFHctGjJe9sgDd80yMDh7hA7c1p7IAcUFpYAWjzhjAzyqUhAlxmXrMf9ES9oBsBZevOGI=',
  ],
  [
    'sparse at level 19',
    SPARSE,
    'KLUv/WSgDk0aAOQxAAEGDhknOExkfpy94QgyX5DD+jRxsfQ6hNAgc8kift1ApQ566VvQSMRCxEnRXOp7EKdC4IElzHYk1Ig/+bZ2OQCWZjkP6M' +
      'SkhmxVQTAiFxALCgwRGSQyRFhwi6nK7hVAbZ7SCUOAwARKlOExhNozkO9SuCGN/G7kXNhX2V7mcQCRJr5Z95g85I487aFYEs+QUxrksYFUKgTg' +
      'wKOJcl5NQDUuKikrMDhEUmR5kazK6xA3YpDB9SxmpOQob7kGVqkAWbYWed9ItCSWDIUBgAKHEJsqvFHphCLEaBC7aRrOhUD9voJJE+CwhFo0Ef' +
      'HUuqOQf3JoYV1cXmRseIeZrsbhACFGbpnH+CxkntwdYajyP5DjOpTxUbQahPBg00nCPr1AxU7aafuQKMRiBKlR/KpbEMeCQAHFjFYk9MifeVY2' +
      'GQDp1sa5r6ikAKastcHQ4vcQK0pskbnkEkR4sOspaq71QI3eMonjQKAEatRBsSSaE5APkhihLbxO5HwYt1n+plEAsWYe2ZdYHOSufE0h+NKvkH' +
      'NaRDEhFAoEAAADCRIeLUBVboqpy/AYRHKk2RFMissQV6LwQZXsRqQEaM85phaJAHn2dvl/CJQktkzlgSDCZxC7ahzRiUQCxIhQG+m6jmVAHf7i' +
      'ybOgkIR6dHEAAACDkJ+yyOH9HD5kjLjnGU6GwQBBhs4ZZ7gMZL4cfeFIsh+QA3r0cfF0+oQQoDPJYv6dQOWOOumbUAjEgkQJ0ZxqOxDnwqCBZU' +
      'w2JBQI//n29gAACRYmOU9ohKTG7BVBcKLXEEuKzBFZpPJEmPBLqQpu1UCtHpIJgwCABIoUoTHEWvOQL9J4Ic18LuScWBfZnmYxANGmflk3GPzk' +
      'zrytoZiSj5CTmqSxwdTqBCBAY4my3g1Ada7qKWuw+ESS5DmR7EqrEHfiUME1rCakJKgvuUbWaQCZNgB5H8h0JNaMRQHAgkcQ26p8USkE4sSokH' +
      'tpWk5FQD0+QklTYHCEmrTR8RQ6Y5C/8ihhndweZKz4R5nuRqEAYcYumQd47GTeXN1h6HL/kCO6VPGRNNqEMOCTSQK+gx2oIvgb0i9Z1hLgLx1n' +
      'ae5atx/aumYwfJC+tV9Ca/v7vl3m4WGQd5eXrzhi',
  ],
  // Nothing, and twenty thousand zeros in one block that says so.
  ['nothing', new Uint8Array(0), 'KLUv/SQAAQAAmenYUQ=='],
  ['zeros', new Uint8Array(20_000), 'KLUv/WQgTUUAAAgAAQAczg6E4LR8tw=='],
];

const bytes = (frame: string): Uint8Array => Uint8Array.from(Buffer.from(frame, 'base64'));

for (const [name, content, frame] of FRAMES) {
  test(`a frame of ${name} gives its bytes`, () => {
    const found = unzstd(bytes(frame), MOST);
    assert.ok(found);
    assert.equal(Buffer.compare(found, content), 0);
  });
}

test('frames follow one another, and those of somebody else are passed over', () => {
  const [, content, frame] = FRAMES[0] ?? ['', new Uint8Array(0), ''];
  const own = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2);
  const found = unzstd(Buffer.concat([bytes(frame), own, bytes(frame)]), MOST);
  assert.ok(found);
  assert.equal(Buffer.compare(found, Buffer.concat([content, content])), 0);
});

test('no more bytes come than were asked for', () => {
  for (const [, content, frame] of FRAMES) {
    if (content.length === 0) continue;
    assert.equal(unzstd(bytes(frame), content.length - 1), undefined);
    assert.equal(unzstd(bytes(frame), content.length)?.length, content.length);
  }
});

test('damaged frames give bytes or nothing, and never throw', () => {
  let state = 1;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % below;
  };
  let refused = 0;
  for (let i = 0; i < 3_000; i++) {
    const [, , frame] = FRAMES[i % FRAMES.length] ?? [];
    const damaged = bytes(frame ?? '');
    for (let times = 1 + next(3); times > 0; times--) damaged[next(damaged.length)] = next(256);
    const found = unzstd(damaged.subarray(0, damaged.length - (i % 3 === 0 ? next(damaged.length) : 0)), MOST);
    if (found === undefined) refused++;
    else assert.ok(found.length <= MOST);
  }
  assert.ok(refused > 1_000, `${refused} refused`);
});

test('a frame of a few bytes that asks for thousands of millions of them is refused at once', () => {
  // 98,047 sequences without a bit for any of them, each a copy of 65,539 bytes.
  const block = [8, 65, 255, 255, 255, 0x54, 0, 0, 52, 1];
  const header = (block.length << 3) | (2 << 1) | 1;
  const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x20, 200, header & 255, header >> 8, 0, ...block);
  assert.equal(unzstd(frame, MOST), undefined);
});

test('a block holds at most 128 KiB', () => {
  // One block, the last of its frame, that repeats one byte.
  const frame = (size: number): Uint8Array => {
    const head = (size << 3) | (1 << 1) | 1;
    return Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, head & 255, (head >> 8) & 255, head >> 16, 7);
  };
  const most = 128 * 1024;
  assert.deepEqual(unzstd(frame(most), MOST), new Uint8Array(most).fill(7));
  assert.equal(unzstd(frame(most + 1), MOST), undefined);
});

test('an account packed with zstd is decoded like any other', () => {
  const account = {
    data: ['KLUv/QRoxQAAgAEAAACqQFSJAAAAAAAGAQACAADpG6AFR9Lp2A==', 'base64+zstd'],
    executable: false,
    lamports: 1,
    owner: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    space: 82,
  };
  const [item] = decodeItems({ kind: 'accounts', items: [account] }, NO_PROGRAMS);
  assert.equal(item?.what, 'SPL Token mint');
  assert.equal(item.rows.find(({ name }) => name === 'supply')?.value, '9 (raw 9000000)');
});
