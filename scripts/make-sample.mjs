/**
 * Finishes static/sample: writes the files that no editor saves by itself (old encodings, a picture under a text's
 * name, an exact copy) and the index that the app reads. Run it after a text there has changed.
 */
import { copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';

const SAMPLE = join(dirname(fileURLToPath(import.meta.url)), '..', 'static', 'sample');
const INDEX = 'index.json';
/** The day before the opening; each file is an hour older than the one after it. */
const NEWEST_MS = Date.UTC(2026, 4, 8, 18);
const HOUR_MS = 3_600_000;

const SAFETY_RULES = `安全须知（贴在每张桌子上）

一、先拔插头，再拿螺丝刀。
二、微波炉不开盖。谁说都不开。
三、鼓包的锂电池不拆、不压、不充电，放进院子里的沙桶。
四、热风枪只在靠窗的桌上用，用完放回铁架，等它凉了再收。
五、长头发扎起来，围巾摘下来。
六、十四岁以下的孩子坐儿童桌，旁边必须有一位大人。
七、不会修不丢人，硬修才丢人。
八、每一件东西都写进登记簿，包括修坏的。
`;

const TOOL_LIST = `工具清单 / Tool list
Saved from the old computer, 2 March 2026

2 × multimeter 万用表: wanted
1 × hot-air station 热风枪: wanted
1 × sewing machine 缝纫机: Amara's, 1981
12 × short screwdrivers 短螺丝刀: Zhou has filed the tips round
1 × truing stand 校圈台: second round, July
1 × sand bucket 沙桶: Dr. Lin, 35
0 × patience 耐心: bring your own
`;

write('旧电脑/安全须知.txt', gbk(SAFETY_RULES.replaceAll('\n', '\r\n')));
write('旧电脑/工具清单.txt', Buffer.from(`\ufeff${TOOL_LIST.replaceAll('\n', '\r\n')}`, 'utf16le'));
write('drafts/photo-of-the-sign.txt', png(96, 32));
copyFileSync(join(SAMPLE, 'letters/library-offer.txt'), join(SAMPLE, 'drafts/library-offer (copy).txt'));

const paths = readdirSync(SAMPLE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(SAMPLE, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .filter((path) => path !== INDEX)
  .sort();
const index = paths.map((path, position) => ({
  path,
  sizeBytes: statSync(join(SAMPLE, path)).size,
  modifiedMs: NEWEST_MS - (paths.length - 1 - position) * HOUR_MS,
}));
write(INDEX, `${JSON.stringify(index, null, 2)}\n`);

/** @param {string} path @param {string | Uint8Array} content */
function write(path, content) {
  const file = join(SAMPLE, ...path.split('/'));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Node decodes GBK but does not encode it: the table is read off the decoder. @param {string} text */
function gbk(text) {
  const decoder = new TextDecoder('gbk');
  /** @type {Map<string, readonly number[]>} */
  const table = new Map();
  for (let lead = 0x81; lead <= 0xfe; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if (character.length === 1 && !table.has(character)) table.set(character, [lead, trail]);
    }
  }
  return Uint8Array.from(
    [...text].flatMap((character) => {
      const bytes = character < '\u0080' ? [character.charCodeAt(0)] : table.get(character);
      if (!bytes) throw new Error(`GBK has no ${character}`);
      return [...bytes];
    }),
  );
}

/** A picture of stripes, 8 bits of grey. @param {number} width @param {number} height */
function png(width, height) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = ((x >> 3) + (y >> 3)) % 2 ? 0xee : 0x33;
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  const check = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
