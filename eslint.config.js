import svelte from 'eslint-plugin-svelte';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import layerLaw from './eslint-rules/layer-law.js';
import noSuppressions from './eslint-rules/no-suppressions.js';
import svelteConfig from './svelte.config.js';

const talaria = { rules: { 'layer-law': layerLaw, 'no-suppressions': noSuppressions } };

const IMPURE = ['fetch', 'window', 'document', 'self', 'navigator', 'location', 'indexedDB', 'localStorage'];
const TIMED = ['performance', 'setTimeout', 'setInterval', 'queueMicrotask', 'requestAnimationFrame'];
const DECISIONS = ['src/lib/core/**/*.ts', 'src/lib/engine/**/*.ts', 'src/lib/jobs/**/*.ts'];
const TESTS = ['**/*.test.ts', '**/*.conformance.ts', 'tests/**/*.ts', 'src/lib/testing/**/*.ts'];

export default defineConfig(
  globalIgnores([
    'build/',
    '.svelte-kit/',
    'demo-output/',
    'test-results/',
    'playwright-report/',
    'static/',
    'tests/cases/',
  ]),
  tseslint.configs.strictTypeChecked,
  svelte.configs.recommended,
  {
    plugins: { talaria },
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['playwright.config.ts', 'src/service-worker/*.test.ts'] },
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      'talaria/layer-law': 'error',
      'talaria/no-suppressions': 'error',
      'no-console': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'object-shorthand': 'error',
      'prefer-template': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // A signal's reason is whatever its owner gave.
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingAny: true, allowThrowingUnknown: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // Splitting a text into code points is what is meant wherever a text is spread.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // A port's method is async for the adapters that wait; `Result<void>` and `Promise<void> | void` say what they mean.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: tseslint.parser, svelteConfig } },
    rules: {
      // Links are built with the route's own address; the app is always served from the root.
      'svelte/no-navigation-without-resolve': 'off',
      // Collections in state are replaced, never changed in place.
      'svelte/prefer-svelte-reactivity': 'off',
      // Props and snippets are typed by the compiler; the plain TypeScript service sees them as untyped.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // `$state` and `$derived` change behind the back of TypeScript's narrowing, and `void x` names a dependency.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
    },
  },
  {
    // Looks for what the DOM types take for granted and browsers do not.
    files: ['src/lib/platform/**/*.ts'],
    rules: { '@typescript-eslint/no-unnecessary-condition': 'off' },
  },
  {
    // The one place that shows HTML: what the sanitiser let through.
    files: ['src/lib/ui/report/Markdown.svelte'],
    rules: { 'svelte/no-at-html-tags': 'off' },
  },
  {
    files: DECISIONS,
    ignores: TESTS,
    rules: {
      'no-restricted-globals': [
        'error',
        ...IMPURE.map((name) => ({ name, message: 'Decisions are pure: what is outside comes through a port.' })),
        ...TIMED.map((name) => ({ name, message: 'Time comes from the Clock port, so that tests can move it.' })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Time comes from the Clock port.' },
        { object: 'Math', property: 'random', message: 'Chance comes from the Random port, so that tests repeat.' },
        { object: 'crypto', property: 'randomUUID', message: 'Ids are handed in.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
          message: 'Time comes from the Clock port.',
        },
      ],
    },
  },
  {
    files: TESTS,
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unsafe-type-assertion': 'off',
      '@typescript-eslint/no-empty-function': 'off',
    },
  },
  {
    files: ['**/*.js', '**/*.mjs', 'playwright.config.ts'],
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    // Programs that speak to a person in a terminal.
    files: ['scripts/*.mjs', 'tests/support/*.mjs'],
    rules: { 'no-console': 'off' },
  },
);
