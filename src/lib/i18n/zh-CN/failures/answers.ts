import type { FailureCode } from '../../../core/failure-codes';
import { contextCommand } from '../../failure-commands';
import { detail, secondsDetail, type FailureText } from '../../failure-text';

const RETRIED = '已完成的内容都已保存，只会重新请求这一次。';
const SLOW = '如果一直如此，请降低同时请求数或换用较小的模型，再重试失败的文件。';

/** Clocks that ran out, and answers that are no answers. */
export const answerFailures = {
  connect_timeout: {
    what: (d) => `服务器${within(secondsDetail(d, 'limitMs'))}没有开始应答。`,
    safe: () => RETRIED,
    next: () => `会再试。${SLOW}`,
  },
  first_token_timeout: {
    what: (d) => `服务器收下了请求，但${within(secondsDetail(d, 'limitMs'))}没有写出第一个字。`,
    safe: () => RETRIED,
    next: () => `会再试；长文本需要较长的读取时间。${SLOW}`,
  },
  idle_timeout: {
    what: (d) => `应答在中途停住了：${within(secondsDetail(d, 'limitMs'))}没有新内容。`,
    safe: () => `${RETRIED}半截应答绝不会当作完整结果保存。`,
    next: () => `起初无需操作。${SLOW}`,
  },
  request_timeout: {
    what: (d) => `应答${within(secondsDetail(d, 'limitMs'))}没有完成。`,
    safe: () => `${RETRIED}半截应答绝不会当作完整结果保存。`,
    next: () => `起初无需操作。${SLOW}`,
  },
  sleep_interrupted: {
    what: () => '模型应答时电脑进入了睡眠，醒来后应答没有继续。',
    safe: () => `${RETRIED}这不占用尝试次数。`,
    next: () => '无需操作。想让它整夜工作，请设置电脑接通电源时不进入睡眠。',
  },
  empty_response: {
    what: () => '模型的应答是空的。',
    safe: () => `${RETRIED}空应答绝不算作完成。`,
    next: () => '如果每次都是空的，该文件会列为失败：请换一种指令或换一个模型。',
  },
  tool_loop: {
    what: () => '模型在原地打转：一再发出同样的调用，始终没有成功。',
    safe: () => '已完成的内容都已保存。它没有要求的事一件也没有做。',
    next: () => '请重试失败的文件，把要求写得更明白，或换一个更擅长使用工具的模型。',
  },
  tool_calls_broken: {
    what: () => '模型发出的工具调用连续两次无法读懂。',
    safe: () => '已完成的内容都已保存。残缺或混乱的调用绝不会执行。',
    next: () => '请换一个更擅长使用工具的模型，或在“端点”里设定告知工具的方式，然后重试失败的文件。',
  },
  tool_turns_spent: {
    what: () => '模型调用工具的次数已用完，仍没有给出答案。',
    safe: () => '已完成的内容和各次调用的结果都已保存。',
    next: () => '请一次少要求一些，或换一个更大的模型，然后重试失败的文件。',
  },
  schema_unmet: {
    what: () => '模型两次应答都没有按要求的格式给出字段。',
    safe: () => '已完成的内容都已保存。这份应答会保留给你查看，绝不算作结果。',
    next: () => '请在文件详情中查看应答。把字段说明得更清楚、一次少要几个字段，或换一个模型，然后重试失败的文件。',
  },
  output_truncated: {
    what: () => '应答因长度限制被截断。',
    safe: () => '已有的部分会为你保留并标为“已截断”，绝不会当作完整应答复用。',
    next: () => '会分成更小的部分再次请求。如果仍被截断，请在指令中要求更短的内容，或换用思考较少的模型。',
  },
  context_overflow: {
    what: (d) => {
      const limit = detail(d, 'limitTokens');
      return `文本超出了模型一次能读的长度${limit === null ? '' : `（${limit} 个词元）`}。`;
    },
    safe: () => '没有任何内容被丢掉：文件会分成更小的部分来读，再把结果合在一起。',
    next: () => '无需操作。服务器的上下文窗口越大，需要分的部分越少。',
    command: contextCommand,
  },
  input_cut: {
    what: (d) => {
      const kept = detail(d, 'keptTokens');
      return `服务器截断了输入，而且没有说明${kept === null ? '' : `：它只读了 ${kept} 个词元`}。`;
    },
    safe: () => '只针对一部分的回答不会采用。文件会分成服务器能读完的更小部分，重新读取。',
    next: () => '无需操作。服务器的上下文窗口越大，需要分的部分越少。',
    command: contextCommand,
  },
  max_tokens_too_large: {
    what: () => '请求给服务器留的空间太小：文本与应答加起来超出了上下文窗口。',
    safe: () => '没有任何内容被丢掉：文件会分成更小的部分，为应答留出空间。',
    next: () => '无需操作。服务器的上下文窗口越大，应答可以越长。',
    command: contextCommand,
  },
} satisfies Partial<Record<FailureCode, FailureText>>;

function within(seconds: number | null): string {
  return seconds === null ? '在规定时间内' : `在 ${seconds} 秒内`;
}
