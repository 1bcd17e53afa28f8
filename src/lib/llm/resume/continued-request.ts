import type { ContinueWay } from '../../core/capabilities';
import type { ModelMessage, ModelRequest } from '../../core/model';
import type { Begun } from '../../core/partial';

type Question = Pick<ModelRequest, 'messages' | 'temperature' | 'maxTokens'>;

/** Less than this costs a server no more than reading it again does. */
const LEAST_TOKENS = 8;

/** Fields that tell a server not to begin a new message; sent by those that know them. */
const CONTINUE_FIELDS = { continue_final_message: true, add_generation_prompt: false } as const;

/** What begins the control tokens of ChatML models, those of the families that they were made from included. */
const CONTROL_MARK = /<(?=\||\/?s>|(?:unk|pad)>)/g;

/** How an unfinished answer is asked to be gone on with. */
export interface ContinuedQuestion {
  readonly question: Question;
  readonly fields: Partial<typeof CONTINUE_FIELDS>;
  /** The conversation as bare text, for servers that are given it so; null for the others. */
  readonly prompt: string | null;
}

/**
 * What of an answer can be gone on with; null when it is not worth it. White space at its end is left to the model:
 * templates take it away, and it would come twice. So would half a character, which some servers send as a whole one.
 */
export function continuable(begun: Begun): Begun | null {
  const content = begun.content.replace(/[\uFFFD\s]+$/u, '').replace(/[\uD800-\uDBFF]$/, '');
  return content === '' || begun.tokens < LEAST_TOKENS ? null : { ...begun, content, stream: null };
}

/** The same question with the answer so far, and room for what is missing of it. */
export function continuedQuestion(way: ContinueWay, question: Question, kept: Begun): ContinuedQuestion {
  const messages: readonly ModelMessage[] = [...question.messages, { role: 'assistant', content: kept.content }];
  return {
    question: { ...question, messages, maxTokens: Math.max(1, question.maxTokens - kept.tokens) },
    fields: way === 'fields' ? CONTINUE_FIELDS : {},
    prompt: way === 'completions' ? chatMlOf(messages) : null,
  };
}

/** ChatML, which Hermes models are made for, with the last message left open. */
function chatMlOf(messages: readonly ModelMessage[]): string {
  return messages
    .map(({ role, content }, index) => {
      const isOpen = index === messages.length - 1;
      return `<|im_start|>${role}\n${asText(content)}${isOpen ? '' : '<|im_end|>\n'}`;
    })
    .join('');
}

/**
 * Servers read the marks of a bare prompt wherever they stand: a file that quotes them would end its message and speak as
 * the system. Behind a zero-width space they are letters like others, and look as they did.
 */
function asText(content: string): string {
  return content.replace(CONTROL_MARK, '<\u200B');
}
