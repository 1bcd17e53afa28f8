import { describe, expect, it } from 'vitest';
import { sniffBinary } from './sniff';

function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

describe('sniffBinary', () => {
  it.each([
    ['jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
    ['gif', 'GIF89a\x01\0\x01\0'],
    ['pdf', '%PDF-1.7\nall printable'],
    ['zip', 'PK\x03\x04rest'],
    ['gzip', '\x1f\x8b\x08\0'],
    ['elf', '\x7fELF\x02'],
    ['ole', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    ['sqlite', 'SQLite format 3\0'],
    ['mp3', 'ID3\x04\0\0\0\0\0\0'],
    ['mp4', '\0\0\0\x18ftypmp42'],
    ['ogg', 'OggS\0\x02'],
    ['wav', 'RIFF\x24\0\0\0WAVEfmt '],
    ['wasm', '\0asm\x01\0\0\0'],
  ])('names %s by its first bytes', (kind, content) => {
    expect(sniffBinary(bytes(content))).toBe(kind);
  });

  it('calls a text behind a script stub what it is', () => {
    const payload = Array.from({ length: 2000 }, (_, index) => String.fromCharCode((index * 151) % 256)).join('');
    expect(sniffBinary(bytes(`#!/bin/sh\necho unpacking\n${payload}`))).toBe('data');
  });

  it.each([
    ['words', 'ID3 tags and PK files are words here, BZh too; %PDF- as well'],
    ['colours of a terminal', '\x1b[31mERROR\x1b[0m it failed\r\n'.repeat(20)],
    ['padding at the end of a log', `${'2026-03-03 10:00:00 INFO ok\n'.repeat(20)}\0\0\0`],
    ['UTF-16 with a mark', '\xff\xfeh\0i\0'],
    ['UTF-16 without', 'h\0e\0l\0l\0o\0 \0y\0o\0u\0'],
  ])('takes %s for text', (_, content) => {
    expect(sniffBinary(bytes(content))).toBeNull();
  });
});
