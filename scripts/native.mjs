// The Rust crates inside LiteSVM's binaries, as a binary names them in the paths of its sources, with the licence of each. For
// the notices and the bill of materials of what is shipped.

/** @typedef {{ readonly name: string, readonly version: string, readonly license: string }} Crate */

/** A path of cargo's registry, as panic messages hold them. */
const SOURCE = /\/registry\/src\/[^/]+\/([A-Za-z0-9_-]+?)-(\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?)\//g;

/** Families of crates with one licence. @type {readonly (readonly [RegExp, string])[]} */
const FAMILIES = [[/^(?:solana|agave)-/, 'Apache-2.0']];

/** SPDX expressions, from the manifests of the crates. @type {Readonly<Record<string, string>>} */
const LICENSES = {
  ahash: 'MIT OR Apache-2.0',
  'ark-bn254': 'MIT OR Apache-2.0',
  'ark-ec': 'MIT OR Apache-2.0',
  'ark-ff': 'MIT OR Apache-2.0',
  'ark-serialize': 'MIT OR Apache-2.0',
  base64: 'MIT OR Apache-2.0',
  blake3: 'CC0-1.0 OR Apache-2.0',
  'block-buffer': 'MIT OR Apache-2.0',
  bv: 'MIT OR Apache-2.0',
  byteorder: 'Unlicense OR MIT',
  'curve25519-dalek': 'BSD-3-Clause',
  five8: 'MIT',
  five8_const: 'MIT',
  hashbrown: 'MIT OR Apache-2.0',
  indexmap: 'Apache-2.0 OR MIT',
  itertools: 'MIT OR Apache-2.0',
  keccak: 'Apache-2.0 OR MIT',
  'libsecp256k1-core': 'Apache-2.0',
  'light-poseidon': 'Apache-2.0',
  merlin: 'MIT',
  napi: 'MIT',
  nom: 'MIT',
  'num-bigint': 'MIT OR Apache-2.0',
  openssl: 'Apache-2.0',
  'openssl-sys': 'MIT',
  rand: 'MIT OR Apache-2.0',
  rand_core: 'MIT OR Apache-2.0',
  'rustc-demangle': 'MIT OR Apache-2.0',
  serde_with: 'MIT OR Apache-2.0',
  sha2: 'MIT OR Apache-2.0',
};

/** Who holds the copyright of crates whose licence asks for it to be repeated. @type {Readonly<Record<string, string>>} */
const HOLDERS = {
  'curve25519-dalek':
    'Copyright (c) 2016-2021 isis agora lovecruft. All rights reserved.\nCopyright (c) 2016-2021 Henry de Valence. All rights reserved.',
  five8: 'Copyright (c) 2024 Kevin Heavey',
  five8_const: 'Copyright (c) 2024 Kevin Heavey',
  merlin: 'Copyright (c) 2018 Henry de Valence',
  napi: 'Copyright (c) 2020 LongYinan\nCopyright (c) 2018 GitHub',
  nom: 'Copyright (c) 2014-2019 Geoffroy Couprie',
  'openssl-sys': 'Copyright (c) 2014 Alex Crichton',
};

/** @type {Readonly<Record<string, string>>} */
const TEXTS = {
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`,
  'BSD-3-Clause': `Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are
met:

1. Redistributions of source code must retain the above copyright
notice, this list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright
notice, this list of conditions and the following disclaimer in the
documentation and/or other materials provided with the distribution.

3. Neither the name of the copyright holder nor the names of its
contributors may be used to endorse or promote products derived from
this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS
IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED
TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A
PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT
HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED
TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR
PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF
LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING
NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`,
};

/**
 * The crates that a binary names, sorted, once each. Throws for one whose licence is not known here.
 * @param {Buffer} binary
 * @returns {readonly Crate[]}
 */
export function cratesIn(binary) {
  const found = [...binary.toString('latin1').matchAll(SOURCE)].map(
    ([, name = '', version = '']) => `${name} ${version}`,
  );
  return [...new Set(found)].sort().map((text) => {
    const [name = '', version = ''] = text.split(' ');
    return { name, version, license: licenseOf(name) };
  });
}

/** @param {string} name of a crate */
function licenseOf(name) {
  const [, license = Object.hasOwn(LICENSES, name) ? LICENSES[name] : undefined] =
    FAMILIES.find(([family]) => family.test(name)) ?? [];
  if (license === undefined)
    throw new Error(`LiteSVM holds the crate ${name}, of which scripts/native.mjs has no licence.`);
  return license;
}

/**
 * The notices of a binary.
 * @param {string} title of the binary's package, with its version
 * @param {readonly Crate[]} crates
 */
export function nativeNotices(title, crates) {
  const heading = `Rust crates in ${title}`;
  const list = crates.map(({ name, version, license }) => `${name} ${version} (${license})`);
  const asked = Object.entries(TEXTS).flatMap(([license, text]) => {
    const names = [...new Set(crates.filter((crate) => crate.license === license).map(({ name }) => name))];
    if (names.length === 0) return [];
    return [...names.map((name) => `${name}\n${HOLDERS[name] ?? ''}`), text];
  });
  const intro = [
    'The crates that the binary names. Where a crate offers Apache-2.0 among others, it is used under that licence, whose text',
    'is under @grpc/grpc-js; byteorder is used under the Unlicense.',
  ].join('\n');
  return [`${heading}\n${'='.repeat(heading.length)}`, intro, list.join('\n'), ...asked].join('\n\n');
}
