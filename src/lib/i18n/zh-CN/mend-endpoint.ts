import { detail, isKeyless } from '../failure-text';
import type { mendEndpoint as shape } from '../en/mend-endpoint';
import { letPageIn, look, modelLine } from './failures/endpoint';

const SLOW = () => '请再测试一次。如果一直如此，请检查服务器：它可能太忙，或者模型对它来说太大。';

export const mendEndpoint: typeof shape = {
  endpoint_unreachable: (d) =>
    detail(d, 'url')?.includes('//localhost')
      ? `请启动服务器。如果它已在运行，请把地址中的 localhost 改成 127.0.0.1。${look(d)}`
      : `请启动服务器，或更正上面的地址。${look(d)}`,
  endpoint_loading: () => '无需操作。加载可能需要几分钟，之后请再测试一次。',
  endpoint_redirected: () => '如果信任最终地址，请填在上面。Talaria 有意不跟随重定向。',
  cors_blocked: (d) => `${letPageIn(d)}然后再测试一次。`,
  local_network_denied: () =>
    '请点击地址栏左侧的图标，允许访问本地网络，然后再测试一次。从 localhost 打开的 Talaria 不需要此权限。',
  auth_failed: (d) => `请在上面填写${isKeyless(d) ? '它的' : '正确的'}密钥，然后再测试一次。`,
  key_unavailable: () => '请在上面重新填写密钥。',
  model_not_found: (d) => `请选择服务器提供的模型，或在服务器上加载这个模型。${modelLine(d)}`,
  wrong_base_url: (d) => {
    const suggestion = detail(d, 'suggestion');
    return suggestion === null
      ? '请更正上面的地址。多数服务器的地址以 /v1 结尾，例如 http://127.0.0.1:8000/v1。'
      : `请更正上面的地址，可以试试 ${suggestion}。`;
  },
  login_page: () => '请在另一个标签页登录，或填写能直接到达服务器的地址，然后再测试一次。',
  quota_exhausted: () => '请为服务器上的账户充值，或换一台服务器。',
  network_offline: () => '网络恢复后请再测试一次。',
  server_busy: () => '请稍等片刻，然后再测试一次。',
  server_fault: () => '原因在服务器自己的日志里。修好之后再测试一次。',
  stream_malformed: () => '请升级服务器，或检查它前面的代理，然后再测试一次。',
  request_rejected: () => '详情中写有服务器拒绝的原因。在服务器上解决后，再测试一次。',
  connect_timeout: SLOW,
  first_token_timeout: SLOW,
  idle_timeout: SLOW,
  request_timeout: SLOW,
  tool_loop: () => '请再测试一次。如果仍然如此，请换一种告知工具的方式，或换一个模型。',
  tool_calls_broken: () => '请再测试一次。如果仍然如此，请换一种告知工具的方式，或换一个模型。',
  tool_turns_spent: () => '请再测试一次。如果仍然如此，请换一种告知工具的方式，或换一个模型。',
  schema_unmet: () => '请再测试一次。如果仍然如此，请让这个模型只写文本，或换一个模型。',
  empty_response: () => '请再测试一次。如果回答一直为空，请换一个模型。',
};
