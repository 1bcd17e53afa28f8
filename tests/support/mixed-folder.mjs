/** Forty small files as a person's folder has them: several kinds, two languages, an old encoding, folders in folders. */
import { readFileSync } from 'node:fs';

const TOPICS = [
  [
    'delivery',
    '交货',
    'The first shipment arrived two days late; the second one was on time.',
    '第一批货晚到两天，第二批准时。',
  ],
  [
    'budget',
    '预算',
    'The budget was cut from 12,000 to 9,500 after the review.',
    '评审之后预算由 12 万元降到 9.5 万元。',
  ],
  [
    'training',
    '培训',
    'Nine of ten people found the training useful and asked for a second day.',
    '十人中有九人认为培训有用，并希望再加一天。',
  ],
  [
    'machine',
    '设备',
    'Machine 4 stopped three times this week, always after the noon break.',
    '四号机本周停机三次，都在午休之后。',
  ],
  [
    'customer',
    '客户',
    'The customer wants one contact person and an answer within a day.',
    '客户希望只有一位联系人，并在一天内得到答复。',
  ],
];

/** @returns {Record<string, string | Uint8Array>} */
export function mixedFiles() {
  /** @type {Record<string, string | Uint8Array>} */
  const files = {};
  for (let index = 0; index < 40; index += 1) {
    const [topic = '', title = '', english = '', chinese = ''] = TOPICS[index % TOPICS.length] ?? [];
    const n = String(index + 1).padStart(2, '0');
    const add = (/** @type {string} */ path, /** @type {string | Uint8Array} */ content) => (files[path] = content);
    switch (index % 8) {
      case 0:
        add(`notes/${n}-${topic}.txt`, `Note ${n}\n\n${english}\n`);
        break;
      case 1:
        add(`会议/${n}-${title}.md`, `# 第 ${n} 号记录：${title}\n\n- ${chinese}\n- 负责人：王小青（化名）\n`);
        break;
      case 2:
        add(`tables/${n}.csv`, `item,comment\n${n},"${english}"\n`);
        break;
      case 3:
        add(`pages/${n}.html`, `<!doctype html><title>Note ${n}</title><h1>${topic}</h1><p>${english}</p>`);
        break;
      case 4:
        add(`data/${n}.json`, JSON.stringify({ number: n, topic, 内容: chinese }, null, 2));
        break;
      case 5:
        add(`archive/2019/${n}-${topic}.txt`, inGbk(n));
        break;
      case 6:
        add(`访谈/第${n}次/记录.txt`, `访谈 ${n}\n问：${title}怎么样？\n答：${chinese}\n`);
        break;
      default:
        add(`notes/deeper/${n}.md`, `## ${topic} (${n})\n\n${english}\n\n${chinese}\n`);
    }
  }
  return files;
}

/** A Chinese text in GBK, told apart by its number: Node can decode that encoding but not write it. @param {string} n */
function inGbk(n) {
  return Buffer.concat([
    readFileSync(new URL('../cases/text/fil02-gbk.txt', import.meta.url)),
    Buffer.from(`\nNo. ${n}\n`),
  ]);
}
