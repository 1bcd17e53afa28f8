import type { FailureDetails } from '../../core/failure';
import { fasterProxyCommand, http2Proxies } from '../doctor-commands';
import type { doctor as shape, FindingText } from '../en/doctor';
import { contextCommand, serverKind } from '../failure-commands';
import { detail } from '../failure-text';

const says = (text: string): FindingText => ({ says: () => text });
const count = (details: FailureDetails, name: string) => Number(details[name] ?? 0);

export const doctor: typeof shape = {
  probes: {
    url: '地址',
    secure: '安全页面',
    permission: '本地网络权限',
    reachable: '能连上',
    cors: '本页可读取（CORS）',
    loading: '已加载',
    key: '密钥',
    model: '模型',
    answer: '逐词回答',
    context: '上下文大小',
    schema: 'JSON schema',
    tools: '工具调用',
    continue: '接着写未完的回答',
    reattach: '重新接上正在生成的回答',
    parallel: '同时请求数',
  },
  states: {
    waiting: '尚未检查。',
    running: '正在检查。',
    passed: '是。',
    lacking: '可以更好。',
    failed: '否。',
    skipped: '未检查。',
  },
  findings: {
    url_fine: says('地址完整。'),
    url_repaired: { says: (d) => `将使用 ${detail(d, 'url') ?? '修正后的地址'}。` },
    secure_fine: says('浏览器允许本页向那里发请求。'),
    permission_unneeded: says('不需要。'),
    permission_given: says('你已允许。'),
    permission_asked: says('浏览器现在会询问本站能否访问你网络中的设备。请选择“允许”。'),
    reached: says('该地址有响应。'),
    readable: says('本页可以读取它的回答。'),
    loaded: says('模型已加载。'),
    loading_waited: says('模型还在加载。之后会自动继续，可能需要几分钟。'),
    key_taken: says('密钥被接受。'),
    key_none: says('不要求密钥。'),
    model_listed: says('服务器有这个模型。'),
    model_only: {
      says: ({ model = '' }) => `llama-server 只有一个模型 ${String(model)}，无论填什么名称都用它回答。`,
    },
    model_unlisted: says('服务器没有列出模型，以能否回答为准。'),
    answer_streams: says('文字随写随到。'),
    answer_buffered: {
      says: () => '它会回答，但文字在最后一次性到达：有代理把它们攒住了。',
      mend: () => '请让代理收到一个词就转发一个词。nginx 中：',
      command: fasterProxyCommand,
    },
    answer_whole: says('它会回答，但只给出完整的回答，不是逐词。'),
    context_fine: { says: (d, amount) => `一次请求可容纳 ${amount(count(d, 'tokens'))} 个词元。` },
    context_small: {
      says: (d, amount) => `一次请求只能容纳 ${amount(count(d, 'tokens'))} 个词元。可以使用，但多数文件要分几部分读。`,
      mend: () => '用更大的上下文启动服务器：',
      command: (d) => (d.server === 'unknown' && serverKind(d) === null ? null : contextCommand(d)),
    },
    context_unknown: {
      says: () => '服务器没有说明一次请求能容纳多少。',
      mend: () => '如果你知道上下文大小，请在上面设置；在此之前按 4,096 个词元计算。',
    },
    schema_held: says('服务器会让回答符合 schema。'),
    schema_object: says('服务器会让回答成为 JSON；schema 在这里检查。'),
    schema_asked: says('服务器不会让回答符合 schema。回答在这里检查，不符合时会再问一次。'),
    tools_native: says('它用自己的字段调用工具。'),
    tools_text: says('工具写在文本中提供，Hermes 模型就是这样学的。'),
    continue_exact: says('是：中断之后，已经写出的文字不会重新生成。'),
    continue_none: says('否：中断之后，回答会从头开始。'),
    reattach_found: says('是：本页离开时回答继续生成，回来后重新接上。'),
    reattach_none: says('否：本页离开时回答就结束。只有 llama.cpp 能保留它。'),
    parallel_count: { says: (d) => (count(d, 'count') === 1 ? '一次一个。' : `同时 ${count(d, 'count')} 个。`) },
    parallel_least: { says: (d) => `至少同时 ${count(d, 'count')} 个。` },
    parallel_connections: {
      says: (d) => `至少同时 ${count(d, 'count')} 个，但浏览器对这样的一个地址只打开六个连接。`,
      mend: () =>
        '要同时更多，请在服务器前放一个支持 HTTP/2 的代理并使用它的地址，或在“更多设置”中填写服务器的其他地址。代理（换成你的域名）：',
      commands: http2Proxies,
    },
    parallel_busy: says('未尝试：有任务正在使用此服务器。'),
    unclear: says('从回答中看不出来。'),
    no_time: says('未检查：服务器之前用时太长。'),
  },
  askBefore:
    '测试之前：浏览器会询问本站能否访问你网络中的设备或本机上的应用。你的模型服务器就要这样到达，请选择“允许”。',
  needed: '必备条件',
  found: '它能做什么',
  recognised: (server, slots, context, shown) => {
    if (context === null) return server;
    return slots === null ? `${server}，上下文 ${shown} 个词元` : `${server}，${slots} 个槽位，每个 ${shown} 个词元`;
  },
  unknownServer: '一种这里不认识的服务器',
  otherUrl: (url) => `${url} 有响应。`,
  useUrl: (url) => `使用 ${url}`,
  otherServers: '是别的服务器？怎样允许本页',
  corsWays: {
    vllm: 'vLLM：加上这个参数重新启动。',
    'llama.cpp': 'llama.cpp：加上这个参数重新启动。',
    ollama: 'Ollama：设置这个变量后重新启动。',
    'lm-studio': 'LM Studio：Developer → Server settings → “Enable CORS”，或：',
    nginx: '前面有代理，nginx：',
  },
};
