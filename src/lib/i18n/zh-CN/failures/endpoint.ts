import type { FailureDetails } from '../../../core/failure';
import type { FailureCode } from '../../../core/failure-codes';
import { letInCommand, modelCommand, serverKind, startCommand } from '../../failure-commands';
import { detail, isKeyless, secondsDetail, type FailureText } from '../../failure-text';
import { spaced } from '../spaced';

const PAUSED = '已完成的内容都已保存。任务在等待，不会因此有文件失败。';
const AGAIN = '服务器恢复应答后，任务会自动继续。';
const RETRIED = '已完成的内容都已保存，只会重新请求这一次。';

export const endpointFailures = {
  endpoint_unreachable: {
    what: (d) => `${spaced(detail(d, 'url')) ?? '模型服务器的地址'}没有应答。`,
    safe: () => PAUSED,
    next: (d) =>
      detail(d, 'url')?.includes('//localhost')
        ? `请启动服务器。如果它已在运行，请把地址中的 localhost 改成 127.0.0.1。${AGAIN}${look(d)}`
        : `请启动服务器，或在“端点”页面更正地址。${AGAIN}${look(d)}`,
    command: startCommand,
  },
  endpoint_loading: {
    what: () => '服务器已启动，仍在加载模型。',
    safe: () => PAUSED,
    next: () => '无需操作。加载可能需要几分钟，之后任务会自动继续。',
  },
  endpoint_redirected: {
    what: (d) => `服务器把请求转到了${detail(d, 'target') === null ? '另一个地址' : ` ${detail(d, 'target')}`}。`,
    safe: () => `${PAUSED}密钥没有发给你所填地址以外的任何主机。`,
    next: () => '如果信任最终地址，请在“端点”页面填写它。Talaria 有意不跟随重定向。',
  },
  cors_blocked: {
    what: (d) =>
      `服务器${at(detail(d, 'url'))}正在运行，但不允许本页面${detail(d, 'header') !== null ? `发送请求头“${detail(d, 'header')}”` : '读取它的应答'}（CORS 设置）。`,
    safe: () => PAUSED,
    next: (d) => `${letPageIn(d)}${AGAIN}`,
    command: letInCommand,
  },
  mixed_content: {
    what: () => '本页面通过 https 打开，浏览器不允许这样的页面访问其他机器上的普通 http 服务器。',
    safe: () => PAUSED,
    next: () => '请在自己的机器上运行 Talaria 并打开 http://localhost:4173，或为模型服务器配置 https 地址。',
    command: () => 'npm start',
  },
  local_network_denied: {
    what: () => '浏览器尚未允许本网站访问这台设备上的程序或你的本地网络。',
    safe: () => PAUSED,
    next: () => '请点击地址栏左侧的图标，允许访问本地网络，然后按“继续”。从 localhost 打开的 Talaria 不需要此权限。',
  },
  auth_failed: {
    what: (d) => (isKeyless(d) ? '服务器要求密钥，但没有填写。' : '服务器拒绝了密钥。'),
    safe: () => PAUSED,
    next: (d) => `请在“端点”页面填写${isKeyless(d) ? '它的' : '正确的'}密钥并测试。密钥通过后任务会自动继续。`,
  },
  key_unavailable: {
    what: () => '手头没有这个端点的密钥：它只为一次会话保留，或者本浏览器已无法解密。',
    safe: () => PAUSED,
    next: () => '请在“端点”页面重新填写密钥，任务随后继续。',
  },
  model_not_found: {
    what: (d) => `服务器上没有${named(detail(d, 'model'))}模型。`,
    safe: () => PAUSED,
    next: (d) => `请在“端点”页面选择服务器提供的模型，或在服务器上加载这个模型。${modelLine(d)}`,
    command: modelCommand,
  },
  wrong_base_url: {
    what: (d) => `服务器${at(detail(d, 'url'))}存在，但这个地址上没有对话接口。`,
    safe: () => PAUSED,
    next: (d) => {
      const suggestion = detail(d, 'suggestion');
      return suggestion === null
        ? '请在“端点”页面更正地址。多数服务器的地址以 /v1 结尾，例如 http://127.0.0.1:8000/v1。'
        : `请在“端点”页面更正地址，可以试试 ${suggestion}。`;
    },
  },
  login_page: {
    what: () => '返回的是网页而不是应答：服务器前面有登录页或代理。',
    safe: () => PAUSED,
    next: () => '请在另一个标签页登录，或填写能直接到达服务器的地址，然后按“继续”。',
  },
  quota_exhausted: {
    what: () => '这台服务器上的账户已没有余额或配额。',
    safe: () => PAUSED,
    next: () => '请充值，或用另一个端点新建任务。服务器重新接受请求后，本任务会继续。',
  },
  endpoint_missing: {
    what: () => '本任务使用的端点已被删除。',
    safe: () => PAUSED,
    next: () => '请在任务页面为它另选一个端点。已完成的内容保持不变，其余的会向新端点提问。',
  },
  url_invalid: {
    what: (d) => `${spaced(detail(d, 'url')) ?? '这个地址'}不能用作服务器地址。`,
    safe: () => PAUSED,
    next: () => '请写成 http://127.0.0.1:8000/v1 这样的形式，其中不要带密钥、问号或 #。',
  },
  network_offline: {
    what: () => '这台设备已断网。',
    safe: () => PAUSED,
    next: () => '无需操作。网络恢复后任务会自动继续。',
  },
  rate_limited: {
    what: (d) => {
      const seconds = secondsDetail(d, 'waitMs');
      return seconds === null ? '服务器要求放慢请求。' : `服务器要求等待 ${seconds} 秒再请求。`;
    },
    safe: () => '已完成的内容都已保存，等待不消耗重试次数。',
    next: () => '无需操作。如果经常出现，请降低同时请求数。',
  },
  rate_reached: {
    what: () => '已达到为此端点设定的每分钟请求数或 token 数上限。',
    safe: () => '已完成的内容都已保存，等待不消耗重试次数。',
    next: () => '无需操作：上限一放行，下一个请求就会发出。上限可在端点设置中修改。',
  },
  server_busy: {
    what: () => '服务器的请求太多，暂时接不下。',
    safe: () => RETRIED,
    next: () => '起初无需操作。如果一直如此，请降低同时请求数，再重试失败的文件。',
  },
  server_fault: {
    what: (d) => `服务器在应答时出错${status(detail(d, 'status'))}。`,
    safe: () => RETRIED,
    next: () => '如果一直失败，原因在服务器自己的日志里。修好之后重试失败的文件。',
  },
  stream_cut: {
    what: () => '应答传到一半时连接断开了。',
    safe: () => `${RETRIED}半截应答绝不会当作完整结果保存。`,
    next: () => '起初无需操作。如果反复出现，说明代理或服务器会切断较长的应答，请检查它们。',
  },
  stream_malformed: {
    what: () => '服务器发来的应答无法解读。',
    safe: () => `${RETRIED}无法解读的内容不会作为结果保存。`,
    next: () => '如果反复出现，请升级服务器，或检查它前面的代理，然后重试失败的文件。',
  },
  request_rejected: {
    what: (d) => {
      const task = detail(d, 'task');
      if (task !== null) return `未完成的任务“${task}”正在使用这个端点。`;
      return `服务器认为这个请求无效${status(detail(d, 'status'))}。`;
    },
    safe: (d) => (detail(d, 'task') === null ? '已完成的内容都已保存，只影响这一个文件。' : '没有作任何改动。'),
    next: (d) =>
      detail(d, 'task') === null
        ? '详情中写有服务器拒绝的原因。在服务器上解决后，重试失败的文件。'
        : '请先完成、取消或删除那个任务。',
  },
  content_refused: {
    what: () => '服务器的内容过滤器中止了应答。',
    safe: () => '已完成的内容都已保存，只影响这一个文件。',
    next: () => '请自己阅读这个文件，或改用没有该过滤器的模型。',
  },
} satisfies Partial<Record<FailureCode, FailureText>>;

export function letPageIn(details: FailureDetails): string {
  if (detail(details, 'header') !== null) {
    return '请让服务器或它前面的代理允许网页发送这个请求头。如果是你自己加的，也可以从“附加请求头”中删去。';
  }
  switch (serverKind(details)) {
    case 'ollama':
      return `请按下面的命令把 OLLAMA_ORIGINS 设为本页面的地址并启动 Ollama。`;
    case 'lm-studio':
      return `请在 LM Studio 的“Developer → Server settings”中打开“Enable CORS”，或按下面的命令启动。`;
    case 'llama.cpp':
      return `llama-server 默认允许所有页面：请检查它的 --cors-origins 参数，或它前面的代理。`;
    case 'vllm':
    case null:
      return `vLLM：按下面的命令用 --allowed-origins 启动。Ollama：设置 OLLAMA_ORIGINS。LM Studio：打开“Enable CORS”。llama-server 默认开放。`;
  }
}

/** What the line to copy is for where it starts nothing: the server is not known. */
export function look(details: FailureDetails): string {
  return serverKind(details) === null ? '下面这一行可以看出那里有没有应答。' : '';
}

/** What the line to copy does about a model that is not there. */
export function modelLine(details: FailureDetails): string {
  return serverKind(details) === 'ollama' ? '下面这一行会下载它。' : '下面这一行会列出服务器提供的模型。';
}

function at(url: string | null): string {
  return url === null ? '' : `（${url}）`;
}

function named(model: string | null): string {
  return model === null ? '端点所填的' : `名为 ${model} 的`;
}

function status(code: string | null): string {
  return code === null ? '' : `（HTTP ${code}）`;
}
