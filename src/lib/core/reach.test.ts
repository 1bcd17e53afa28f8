import { expect, it } from 'vitest';
import { reachOf } from './reach';

it.each([
  ['http://localhost:8000/v1', 'loopback'],
  ['http://app.localhost/v1', 'loopback'],
  ['http://127.0.0.1/v1', 'loopback'],
  ['http://[::1]:8000/v1', 'loopback'],
  ['http://192.168.1.5:1234/v1', 'local'],
  ['http://10.0.0.2/v1', 'local'],
  ['http://172.20.0.2/v1', 'local'],
  ['http://[fd12::1]/v1', 'local'],
  ['http://gpu-box:8000/v1', 'local'],
  ['http://gpu.local/v1', 'local'],
  ['http://172.32.0.2/v1', 'public'],
  ['https://api.example.com/v1', 'public'],
  ['https://10.example.com/v1', 'public'],
  ['not a url', 'public'],
])('%s is %s', (url, reach) => {
  expect(reachOf(url)).toBe(reach);
});
