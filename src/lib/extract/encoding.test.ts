import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { decodeBytes } from './encoding';

const ENCODINGS = new URL('../../../tests/cases/text/encodings/', import.meta.url);

async function bytesOf(name: string): Promise<Uint8Array> {
  return new Uint8Array(await readFile(new URL(name, ENCODINGS)));
}

function decoded(bytes: Uint8Array, declared?: string) {
  const result = decodeBytes(bytes, declared);
  return result.ok ? result.value : result.failure.code;
}

describe('every encoding is told from the others by its bytes', () => {
  it.each([
    ['zh-hans', 'gb18030'],
    ['zh-hans', 'utf-16le'],
    ['zh-hans', 'utf-16be'],
    ['zh-hant', 'big5'],
    ['ja', 'shift_jis'],
    ['ja', 'euc-jp'],
    ['ja', 'iso-2022-jp'],
    ['ko', 'euc-kr'],
    ['ru', 'windows-1251'],
    ['ru', 'koi8-r'],
    ['ru', 'utf-16le'],
    ['ru', 'utf-16be'],
    ['fr', 'windows-1252'],
    ['fr', 'utf-16le'],
    ['fr', 'utf-16be'],
    ['pl', 'iso-8859-2'],
  ])('%s in %s', async (language, encoding) => {
    const text = new TextDecoder().decode(await bytesOf(`${language}.utf8.txt`));
    expect(decoded(await bytesOf(`${language}.${encoding}.txt`))).toEqual({ text, encoding, guessed: true });
  });

  it('a mark makes it certain', async () => {
    const text = new TextDecoder().decode(await bytesOf('zh-hans.utf8.txt'));
    const marked = await bytesOf('zh-hans.utf-16be-bom.txt');
    expect(decoded(marked)).toEqual({ text, encoding: 'utf-16be', guessed: false });
  });

  it('names UTF-32, which no browser decodes, instead of making nonsense of it', async () => {
    expect(decodeBytes(await bytesOf('zh-hans.utf-32le.txt'))).toMatchObject({
      ok: false,
      failure: { code: 'file_encoding_unknown', details: { encoding: 'utf-32le' } },
    });
  });

  it('tells Chinese UTF-16 without a single NUL byte', () => {
    const text = '会议决定在年底之前完成这个项目，预算不变。';
    const units = Uint16Array.from(text, (character) => character.charCodeAt(0));
    expect(decoded(new Uint8Array(units.buffer))).toEqual({ text, encoding: 'utf-16le', guessed: true });
  });
});

describe('few bytes', () => {
  it.each([
    ['预算', [0xd4, 0xa4, 0xcb, 0xe3], 'gb18030'],
    ['café', [0x63, 0x61, 0x66, 0xe9], 'windows-1252'],
    ['naïve', [0x6e, 0x61, 0xef, 0x76, 0x65], 'windows-1252'],
  ])('%s', (text, bytes, encoding) => {
    expect(decoded(new Uint8Array(bytes))).toEqual({ text, encoding, guessed: true });
  });
});

describe('what a file declares', () => {
  it('is believed where the bytes are not UTF-8', async () => {
    const bytes = await bytesOf('ru.koi8-r.txt');
    expect(decoded(bytes, 'koi8-r')).toMatchObject({ encoding: 'koi8-r', guessed: false });
  });

  it('is not believed where they are, nor where it cannot be', async () => {
    const utf8 = await bytesOf('ru.utf8.txt');
    expect(decoded(utf8, 'windows-1251')).toMatchObject({ encoding: 'utf-8', guessed: false });
    const gbk = await bytesOf('zh-hans.gb18030.txt');
    expect(decoded(gbk, 'utf-16le')).toMatchObject({ encoding: 'gb18030', guessed: true });
    expect(decoded(gbk, 'no-such-thing')).toMatchObject({ encoding: 'gb18030', guessed: true });
  });
});

describe('damage', () => {
  it('keeps a visible sign where UTF-8 is broken, and says that it guessed', async () => {
    const bytes = await bytesOf('zh-hans.utf8.txt');
    bytes[4] = 0xff;
    const result = decoded(bytes);
    expect(result).toMatchObject({ encoding: 'utf-8', guessed: true });
    expect(result).toHaveProperty('text', expect.stringMatching(/\ufffd[^]*TL-204/));
  });

  it('reads a text that was cut inside a character', async () => {
    const bytes = await bytesOf('zh-hans.utf8.txt');
    expect(decoded(bytes.subarray(0, bytes.length - 3))).toMatchObject({ encoding: 'utf-8', guessed: true });
  });

  it('gives up on bytes that no encoding reads', () => {
    const bytes = Uint8Array.from({ length: 400 }, (_, index) => 0x80 + ((index * 37) % 0x20));
    expect(decoded(bytes)).toBe('file_encoding_unknown');
  });
});
