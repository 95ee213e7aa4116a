// Typed lint rules for the whole tree, and one import rule per room (ARCHITECTURE.md, "Directions").
import tseslint from 'typescript-eslint';
import { directionsRule, ROOMS } from './scripts/directions.mjs';

const directions = { rules: { directions: directionsRule(import.meta.dirname) } };

export default tseslint.config(
  {
    ignores: ['core/platform.d.ts', 'dist/', 'out/', 'node_modules/', '**/*.{mjs,cjs}', 'test/fixtures/', 'proto/gen/'],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './client/webview/tsconfig.json'] },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/require-await': 'off',
      'no-console': 'error',
      // One way to be private. Parameter properties keep the keyword: the language has no other form for them.
      'no-restricted-syntax': [
        'error',
        {
          selector: ':matches(PropertyDefinition, MethodDefinition[kind!="constructor"])[accessibility="private"]',
          message: 'Private members are #names.',
        },
      ],
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      'max-params': ['error', 4],
      eqeqeq: 'error',
    },
  },
  {
    files: Object.keys(ROOMS).map((room) => `${room}/**/*.ts`),
    plugins: { house: directions },
    rules: { 'house/directions': 'error' },
  },
  {
    files: ['core/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'core has no clock: pass the time in.' },
        { object: 'Math', property: 'random', message: 'core has no randomness: pass it in.' },
      ],
      'no-restricted-globals': ['error', 'process', 'Buffer', 'setTimeout', 'setInterval', 'fetch', 'console'],
    },
  },
  {
    files: ['client/webview/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'write', 'createContextualFragment'].map((property) => ({
          property,
          message: 'No text becomes HTML (I9): see client/webview/shared/dom.ts.',
        })),
      ],
    },
  },
  {
    // node:test's `test()` and `describe()` return promises that the runner itself awaits.
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-floating-promises': 'off' },
  },
);
