/** JSON with object keys sorted and `undefined` left out: equal values have equal forms. Numbers must be finite. */
export type Canonical =
  string | number | boolean | null | readonly Canonical[] | { readonly [key: string]: Canonical | undefined };

export function canonicalJson(value: Canonical): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('a canonical number must be finite');
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = Object.keys(value)
    .sort()
    .flatMap((key) => {
      const field = value[key];
      return field === undefined ? [] : [`${JSON.stringify(key)}:${canonicalJson(field)}`];
    });
  return `{${fields.join(',')}}`;
}

function isList(value: object): value is readonly Canonical[] {
  return Array.isArray(value);
}
