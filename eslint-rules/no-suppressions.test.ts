import { RuleTester } from 'eslint';
import { describe, it } from 'vitest';
import svelte from 'eslint-plugin-svelte';
import noSuppressions from './no-suppressions.js';

RuleTester.describe = describe;
RuleTester.it = it;

const script = new RuleTester();
const [parsing] = svelte.configs.base.flatMap((config) =>
  config.languageOptions?.parser ? [config.languageOptions] : [],
);
const markup = new RuleTester({ languageOptions: { ...parsing } });

// Put together, so that this file does not hold what it refuses.
const disable = ['eslint', 'disable-next-line'].join('-');
const ignore = ['@ts', 'ignore'].join('-');
const later = ['TO', 'DO'].join('');

script.run('no-suppressions', noSuppressions, {
  valid: ['// why this is so', `const text = '${later}';`, '/* to do so is fine */'],
  invalid: [
    { code: `// ${disable} no-console\nx();`, errors: [{ messageId: 'silences' }] },
    { code: `/* ${ignore} */ x();`, errors: [{ messageId: 'silences' }] },
    { code: `// ${later}: later`, errors: [{ messageId: 'putOff' }] },
  ],
});

markup.run('no-suppressions in markup', noSuppressions, {
  valid: ['<!-- why this is so -->'],
  invalid: [
    {
      code: '<!-- svelte-ignore a11y_no_static_element_interactions -->\n<p></p>',
      errors: [{ messageId: 'silences' }],
    },
    { code: `<script>\n// ${later}\n</script>`, errors: [{ messageId: 'putOff' }] },
  ],
});
