import type { FailureCode } from '../../../core/failure-codes';
import { detail, type FailureText } from '../../failure-text';

export const effectFailures = {
  effect_conflict: {
    what: (d) => `对 ${detail(d, 'target') ?? '某个目标'} 要做的事，与先前为它记下的不一致。`,
    safe: () => '没有做第二次，已完成的内容都已保存。',
    next: () => '这是 Talaria 的缺陷。请附上技术细节报告给我们。',
  },
  effect_in_doubt: {
    what: (d) => `无法得知应用结束之前，${detail(d, 'target') ?? '一个请求'} 是否已经发出。`,
    safe: () => '它不会自动重发，也不会被遗忘。已完成的内容都已保存。',
    next: () => '请到对方那里确认，然后告知“已发出”、选择再发一次，或跳过。',
  },
} satisfies Partial<Record<FailureCode, FailureText>>;
