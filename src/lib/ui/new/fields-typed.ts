import { MAX_FIELDS, MAX_FIELD_NAME, fieldProblem, type FieldProblem, type FieldSpec } from '../../core/fields';
import { f } from '../../state/formats';

export const NEW_FIELD: FieldSpec = { name: '', type: 'text', description: '' };

type ProblemWords = Readonly<Record<FieldProblem, string | ((most: string) => string)>>;

/** The fields as they are asked for: lines that were left empty are none. */
export function fieldsTyped(fields: readonly FieldSpec[]): readonly FieldSpec[] {
  return fields
    .map(({ name, type, description }) => ({ name: name.trim(), type, description: description.trim() }))
    .filter(({ name, description }) => name !== '' || description !== '');
}

/** What keeps these fields from being asked for, in words; null when nothing does. */
export function wrongFields(fields: readonly FieldSpec[], words: ProblemWords): string | null {
  const problem = fieldProblem(fieldsTyped(fields));
  if (problem === null) return null;
  const said = words[problem];
  const most = f().number(problem === 'too_many' ? MAX_FIELDS : MAX_FIELD_NAME);
  return typeof said === 'string' ? said : said(most);
}
