import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createExtractor } from './extractor';

const CASES = new URL('../../../tests/cases/', import.meta.url);
const extractor = createExtractor();

async function bytesOf(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(new URL(path, CASES)));
}

function extractText(path: string, text: string) {
  return extractor.extract(path, new TextEncoder().encode(text));
}

async function readCase(path: string) {
  const result = await extractor.extract(path, await bytesOf(path));
  if (!result.ok) throw new Error(`${path} was refused: ${result.failure.code}`);
  return result.value;
}

async function refusalOf(path: string, bytes: Uint8Array<ArrayBuffer>) {
  const result = await extractor.extract(path, bytes);
  return result.ok ? null : { code: result.failure.code, details: result.failure.details };
}

describe('FIL-01: a file without visible text is skipped as empty', () => {
  it.each(['text/fil01-zero-byte.txt', 'text/fil01b-whitespace-only.txt'])('%s', async (path) => {
    expect(await refusalOf(path, await bytesOf(path))).toEqual({ code: 'file_empty', details: {} });
  });

  it.each([
    ['a mark alone', [0xef, 0xbb, 0xbf]],
    ['a UTF-16 mark alone', [0xff, 0xfe]],
    ['no-break and zero-width spaces', [0xc2, 0xa0, 0xe2, 0x80, 0x8b, 0xe2, 0x81, 0xa0]],
  ])('%s', async (_, bytes) => {
    expect(await refusalOf('note.txt', new Uint8Array(bytes))).toEqual({ code: 'file_empty', details: {} });
  });

  it('a page that shows nothing', async () => {
    const page = '<html><head><style>p{}</style></head><body><script>var a = 1</script><p hidden>x</p></body></html>';
    const result = await extractText('page.html', page);
    expect(result).toMatchObject({ ok: false, failure: { code: 'file_empty' } });
  });
});

describe('FIL-02, FIL-04, FIL-05: the text is the text, whatever the encoding', () => {
  it('FIL-02, seed defect 22: reads GBK without a mark, and says that it guessed', async () => {
    const original = await readCase('text/fil02-original.utf8.txt');
    expect(await readCase('text/fil02-gbk.txt')).toEqual({
      text: original.text,
      format: 'txt',
      encoding: 'gb18030',
      guessedEncoding: true,
    });
  });

  it('FIL-04: reads UTF-16 with a mark, and calls it neither binary nor guessed', async () => {
    const { text, encoding, guessedEncoding } = await readCase('text/fil04-utf16le-bom.txt');
    expect(text).toContain('会议纪要\n编号：TL-204\n');
    expect({ encoding, guessedEncoding }).toEqual({ encoding: 'utf-16le', guessedEncoding: false });
  });

  it('FIL-05: drops the mark, counts each line end once, needs no final newline', async () => {
    const original = await readCase('text/fil02-original.utf8.txt');
    const { text } = await readCase('text/fil05-utf8-bom-crlf-no-final-newline.txt');
    expect(text).toBe(original.text.replace(/\n$/, ''));
  });

  it('FIL-05: keeps a CSV record with a line break in it whole', async () => {
    const { text, format } = await readCase('docs/fil12-quotes.csv');
    expect(format).toBe('csv');
    expect(text.split('\n\n')).toEqual([
      '编号: TL-204\n说明: 含有"引号"和,逗号\n金额: 12,000',
      '编号: TL-205\n说明: 两行\n  说明\n金额: 95',
    ]);
  });
});

describe('FIL-07: bytes decide what is binary', () => {
  it('skips a picture named .txt', async () => {
    const path = 'text/fil07-picture-named.txt';
    expect(await refusalOf(path, await bytesOf(path))).toEqual({ code: 'file_binary', details: { kind: 'png' } });
  });

  it('skips unknown binary data under any name', async () => {
    const noise = Uint8Array.from({ length: 4096 }, (_, index) => (index * 197 + (index >> 3) * 31) % 256);
    expect(await refusalOf('data', noise)).toEqual({ code: 'file_binary', details: { kind: 'data' } });
  });
});

describe('kinds', () => {
  it.each([
    ['a/Report.PDF', 'pdf'],
    ['table.xlsx', 'xlsx'],
    ['photo.JPG', 'image'],
    ['talk.mp3', 'audio'],
    ['all.zip', 'archive'],
  ])('%s is known and not supported', async (path, kind) => {
    expect(await refusalOf(path, new Uint8Array([1, 2, 3]))).toEqual({
      code: 'file_kind_unsupported',
      details: { kind },
    });
  });

  it.each([
    ['README', 'plain words', 'txt'],
    ['notes.xyz', 'plain words', 'txt'],
    ['saved', '<!DOCTYPE html><title>T</title><p>words', 'html'],
    ['feed', '<?xml version="1.0"?><a>words</a>', 'xml'],
    ['app.log', 'INFO words', 'log'],
    ['main.rs', 'fn main() {}', 'code'],
  ])('%s is read as it is', async (path, text, format) => {
    expect(await extractText(path, text)).toMatchObject({ ok: true, value: { format } });
  });
});
