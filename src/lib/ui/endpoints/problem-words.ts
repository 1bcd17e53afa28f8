import { f } from '../../state/formats';
import { screens } from '../../state/preferences.svelte';
import type { SettingProblem } from '../../state/typed-settings';

/** One sentence that says what is wrong with what is typed, and where. */
export function problemInWords(problem: SettingProblem): string {
  const words = screens().endpointSettings.problems;
  const shown = (value: number) => f().number(value);
  switch (problem.what) {
    case 'number': {
      const { least, most, whole } = problem.bounds;
      return whole ? words.whole(shown(least), shown(most)) : words.number(String(least), String(most));
    }
    case 'url':
      return words.url(shown(problem.line), problem.typed);
    case 'header':
      return words.header(shown(problem.line), words.headerWhys[problem.why](problem.name));
    case 'json':
      return words.json(shown(problem.line), shown(problem.column), problem.found);
    case 'not_object':
      return words.notObject;
    case 'field':
      return words.fieldWhys[problem.why](problem.name);
  }
}
