import * as v from 'valibot';

/** What an error body says, whatever its form. Empty strings where it says nothing. */
export interface ErrorBody {
  readonly form: 'json' | 'html' | 'text' | 'empty';
  /** Plain text for people: never markup. */
  readonly message: string;
  /** `type` and `code` of the error, joined, lower case. */
  readonly kind: string;
  /** The HTTP status the body itself names; null when it names none. */
  readonly status: number | null;
  readonly param: string;
  readonly promptTokens: number | null;
  readonly limitTokens: number | null;
  /** Seconds to wait, from the fields some servers have for it. */
  readonly waitSeconds: number | null;
}

const text = v.fallback(v.nullish(v.string()), null);
const number = v.fallback(v.nullish(v.number()), null);

const Fields = v.object({
  message: text,
  error: v.optional(v.unknown()),
  errors: v.optional(v.unknown()),
  detail: v.optional(v.unknown()),
  msg: text,
  status: v.fallback(v.nullish(v.union([v.string(), v.number()])), null),
  type: text,
  error_type: text,
  code: v.fallback(v.nullish(v.union([v.string(), v.number()])), null),
  param: text,
  n_prompt_tokens: number,
  n_ctx: number,
  retry_after: number,
  estimated_time: number,
});
type Fields = v.InferOutput<typeof Fields>;

const MAX_TEXT = 300;
/** What comes after that is no message for people, and patterns over it could take for ever. */
const MAX_READ = 8_192;

export function readErrorBody(bodyText: string): ErrorBody {
  const body = bodyText.trim();
  if (body === '') return said('empty', '');
  if (/^(<!doctype|<html|<\?xml|<head|<body|<center|<h1|<title)/i.test(body)) return said('html', plainText(body));
  if (!/^[[{"]/.test(body)) return said('text', clip(body));
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return said('text', clip(body));
  }
  return readErrorValue(parsed);
}

function readErrorValue(value: unknown): ErrorBody {
  const levels = levelsOf(value, 0);
  const first = <K extends keyof Fields>(key: K) => levels.map((fields) => fields[key]).find((field) => field != null);
  const code = first('code');
  const status = first('status');
  const numbers = [code, status].map(Number).filter((each) => each >= 400 && each < 600);
  const message = first('message') ?? first('msg') ?? sentence(value) ?? (typeof status === 'string' ? status : '');
  return {
    form: 'json',
    message: clip(/^\s*</.test(message) ? plainText(message) : message),
    kind: [first('type'), first('error_type'), code]
      .filter((part) => part != null)
      .join(' ')
      .slice(0, MAX_TEXT)
      .toLowerCase(),
    status: numbers[0] ?? null,
    param: first('param') ?? '',
    promptTokens: first('n_prompt_tokens') ?? null,
    limitTokens: first('n_ctx') ?? null,
    waitSeconds: first('retry_after') ?? first('estimated_time') ?? null,
  };
}

/** The objects that hold the error, innermost first. */
function levelsOf(value: unknown, depth: number): Fields[] {
  const parsed = v.safeParse(Fields, Array.isArray(value) ? value[0] : value);
  if (!parsed.success || depth > 3) return [];
  const fields = parsed.output;
  const inner = [fields.error, fields.errors, fields.detail].flatMap((each) => levelsOf(each, depth + 1));
  return [...inner, fields];
}

/** Errors that are a bare string: `"…"`, `{"error":"…"}`, `{"detail":"…"}`. */
function sentence(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const parsed = v.safeParse(Fields, Array.isArray(value) ? value[0] : value);
  if (!parsed.success) return null;
  const { error, errors, detail } = parsed.output;
  for (const each of [error, errors, detail]) {
    const found = each == null ? null : sentence(each);
    if (found !== null) return found;
  }
  return null;
}

function said(form: ErrorBody['form'], message: string): ErrorBody {
  return { form, message, kind: '', status: null, param: '', promptTokens: null, limitTokens: null, waitSeconds: null };
}

/** The title of a page, or else its text. */
export function plainText(page: string): string {
  const html = page.slice(0, MAX_READ);
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim();
  if (title) return clip(decoded(title));
  const bare = html.replace(/<(script|style)[\s\S]*?(<\/\1>|$)/gi, ' ').replace(/<[^>]*(>|$)/g, ' ');
  return clip(decoded(bare));
}

function decoded(textWithEntities: string): string {
  return textWithEntities
    .replace(/&nbsp;/gi, ' ')
    .replace(/&#39;|&apos;/gi, "'")
    .replace(/&quot;/gi, '"')
    .replace(/&[lg]t;/gi, ' ')
    .replace(/&amp;/gi, '&');
}

function clip(long: string): string {
  const line = long.slice(0, MAX_READ).replace(/\s+/g, ' ').trim();
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 1)}…`;
}
