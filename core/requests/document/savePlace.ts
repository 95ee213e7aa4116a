// The file names that `>>` never writes, in any folder: a response is untrusted text, and these files run code,
// configure a tool or are request files. Looks at names only; opens nothing.
import { withoutTrailing } from '../../solana/common/ends';

/** Folders whose content is run. Names that begin with a dot need no row: all of them are refused. */
const CODE_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '__pycache__']);

/** Files that a tool reads by their name, in lower case. */
const TOOL_FILES: ReadonlySet<string> = new Set([
  // This product
  'solana-rpc.json',
  // JavaScript and TypeScript
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'yarn.lock',
  'bun.lock',
  'bunfig.toml',
  'deno.json',
  'deno.jsonc',
  'deno.lock',
  'import_map.json',
  'lerna.json',
  'nx.json',
  'project.json',
  'turbo.json',
  'rush.json',
  'angular.json',
  'vercel.json',
  'netlify.toml',
  'wrangler.toml',
  'wrangler.json',
  'wrangler.jsonc',
  // Rust and Solana
  'cargo.toml',
  'cargo.lock',
  'rust-toolchain',
  'rust-toolchain.toml',
  'rustfmt.toml',
  'clippy.toml',
  'anchor.toml',
  'surfpool.toml',
  'txtx.yml',
  'foundry.toml',
  // Other languages
  'go.mod',
  'go.sum',
  'go.work',
  'pyproject.toml',
  'pipfile',
  'pipfile.lock',
  'setup.cfg',
  'tox.ini',
  'pytest.ini',
  'noxfile.py',
  'gemfile',
  'gemfile.lock',
  'rakefile',
  'composer.json',
  'composer.lock',
  'pom.xml',
  'nuget.config',
  'global.json',
  'podfile',
  'mix.lock',
  // Builds, containers, continuous integration
  'makefile',
  'gnumakefile',
  'bsdmakefile',
  'justfile',
  'taskfile.yml',
  'taskfile.yaml',
  'mise.toml',
  'cmakelists.txt',
  'cmakepresets.json',
  'cmakeuserpresets.json',
  'meson.build',
  'build',
  'build.bazel',
  'workspace',
  'workspace.bazel',
  'module.bazel',
  'flake.lock',
  'devbox.json',
  'devcontainer.json',
  'dockerfile',
  'containerfile',
  'vagrantfile',
  'procfile',
  'brewfile',
  'jenkinsfile',
  'action.yml',
  'action.yaml',
  'azure-pipelines.yml',
  'azure-pipelines.yaml',
  'bitbucket-pipelines.yml',
  'appveyor.yml',
  'cloudbuild.yaml',
  'lefthook.yml',
  'lefthook.yaml',
  'codeowners',
  // Assistants: instructions they follow, servers they start
  'agents.md',
  'agent.md',
  'claude.md',
  'claude.local.md',
  'gemini.md',
  'copilot-instructions.md',
  'mcp.json',
  // Windows
  'desktop.ini',
  'autorun.inf',
]);

/** Families of such names, in lower case. */
const TOOL_NAMES: readonly RegExp[] = [
  /^[jt]sconfig(?:\..+)?\.json$/,
  /^(?:docker-)?compose(?:\..+)?\.ya?ml$/,
  /^(?:dockerfile|containerfile|makefile|jenkinsfile)\..+$/,
  /^requirements.*\.txt$/,
  /^constraints.*\.txt$/,
  /\.(?:instructions|prompt|chatmode|agent)\.md$/,
];

/** Endings of files that are run, loaded as code or opened as a project; `jsonrpc` files are run by this product. */
const CODE_ENDINGS: ReadonlySet<string> = new Set(
  [
    'jsonrpc',
    'js mjs cjs jsx ts mts cts tsx node wasm vue svelte',
    'sh bash zsh fish csh ksh command tool ps1 psm1 psd1 bat cmd com exe msi scr pif vbs vbe jse wsf wsh hta reg lnk url',
    'desktop service app dll so dylib jar class war py pyw pyc pth rb pl pm php lua tcl awk r jl rs go c cc cpp cxx h hpp',
    'java kt kts scala groovy gradle cs csx fs fsx swift m mm dart ex exs erl hs clj nix mk mak cmake bzl star sol',
    'vsix code-workspace csproj fsproj vbproj sln slnx props targets workflow tf hcl envrc env htm html xhtml svg',
  ]
    .join(' ')
    .split(' '),
);

/** `vite.config.json`, `x.config.yaml`: read by the tool whose name it bears. */
const IS_CONFIG = /\.config(?:\.[^.]+)?$/;
/** Characters that some file systems leave out of a name. */
const IGNORED = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** Characters that Windows cuts off the end of a name. */
const CUT_OFF = '. ';

/**
 * Why a response is not saved under this path: a sentence that names the part it is about. `path`: relative, with `/` or
 * `\`; `..` leads to the folder above and may lead out, which is somebody else's check.
 */
export function unsafeSavePlace(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split(/[\\/]/)) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const stream = parts.find((part) => part.includes(':'));
  if (stream !== undefined) return refusal(stream, 'has a colon, which on Windows names a stream of another file');
  const file = parts.pop();
  for (const folder of parts) {
    if (isDotted(folder)) return refusal(folder, 'is a folder of tool settings');
    if (CODE_FOLDERS.has(folded(folder))) return refusal(folder, 'is a folder of code');
  }
  if (file === undefined) return undefined;
  const name = folded(file);
  if (isDotted(file)) return refusal(file, 'is a file of tool settings');
  const ending = /\.([^.]+)$/.exec(name)?.[1];
  if (TOOL_FILES.has(name) || TOOL_NAMES.some((family) => family.test(name)) || IS_CONFIG.test(name))
    return refusal(file, 'configures a tool');
  if (CODE_FOLDERS.has(name) || (ending !== undefined && CODE_ENDINGS.has(ending))) return refusal(file, 'can be run');
  return undefined;
}

/** Also what Windows calls `.git` where short names are on. */
const isDotted = (name: string): boolean => /^\./.test(name) || /^(?:\.|git~\d+$)/.test(folded(name));

/** The name as a file system compares it that ignores case. */
const folded = (name: string): string =>
  withoutTrailing(name.replace(IGNORED, ''), CUT_OFF).toUpperCase().toLowerCase();

const refusal = (name: string, what: string): string =>
  `A response is not saved there: ${name} ${what}. Choose another name, for example a .json file in a plain folder.`;
