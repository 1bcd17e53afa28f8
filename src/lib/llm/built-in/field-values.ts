import type { FieldSpec } from '../../core/fields';
import type { JsonValue } from '../../core/json-value';

const LIST_MARKS = /[;,、，；]/;
const YES = /^(yes|true|y|是|有|对)$/i;
const NO = /^(no|false|n|否|没有|无)$/i;
const DATE = /\b(\d{4})-(\d{2})-(\d{2})\b/;
const CHINESE_DATE = /(\d{4})年(\d{1,2})月(\d{1,2})日/;

/** The fields that stand in a text as lines of `name: value`. What does not is null: nothing is guessed. */
export function fieldValues(text: string, fields: readonly FieldSpec[]): string {
  const said = new Map<string, string>();
  for (const line of text.split('\n')) {
    const found = /^[\s>*_#|-]*(.+?)[*_]*\s*[:：]\s*[*_]*\s*(.+)$/.exec(line.slice(0, 1_000));
    const [, name = '', value = ''] = found ?? [];
    const key = name.trim().toLowerCase();
    if (key !== '' && !said.has(key)) said.set(key, value.replace(/[|*_\s]+$/, ''));
  }
  const values = fields.map(({ name, type }) => {
    const value = said.get(name.trim().toLowerCase());
    return [name, value === undefined ? null : typed(value, type)] as const;
  });
  return JSON.stringify(Object.fromEntries(values));
}

function typed(value: string, type: FieldSpec['type']): JsonValue {
  switch (type) {
    case 'text':
      return value;
    case 'number': {
      const digits = /-?\d[\d,]*(?:\.\d+)?/.exec(value)?.[0].replace(/,/g, '');
      return digits === undefined ? null : Number(digits);
    }
    case 'yes_no':
      return YES.test(value) ? true : NO.test(value) ? false : null;
    case 'date': {
      const [, year = '', month = '', day = ''] = DATE.exec(value) ?? CHINESE_DATE.exec(value) ?? [];
      return year === '' ? null : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    }
    case 'list':
      return value
        .split(LIST_MARKS)
        .map((item) => item.trim())
        .filter((item) => item !== '');
  }
}
