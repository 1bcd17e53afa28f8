import { expect, test } from 'vitest';
import { repairBaseUrl } from './base-url';

// Chromium's own URL takes these and escapes what no name of a host may hold; others refuse them.
test.each(['hello world', 'my server:8000', 'http://a"b/v1', 'http://a%20b/v1', 'http://{host}:8000/v1'])(
  '%s is no address, in a browser either',
  (typed) => {
    expect(repairBaseUrl(typed)).toMatchObject({ ok: false, failure: { code: 'url_invalid' } });
  },
);

test.each(['my_server:8000', '模型.example:8000', '[::1]:8000', 'host/a path/v1'])('%s is one', (typed) => {
  expect(repairBaseUrl(typed).ok).toBe(true);
});
