import { expect, test, vi } from 'vitest';
import { networkRelay } from './network-relay';

test('listeners hear a change once, and the new state is readable by then', () => {
  const relay = networkRelay(true);
  const heard: boolean[] = [];
  relay.onChange(() => heard.push(relay.online));
  relay.networkChanged(true);
  relay.networkChanged(false);
  relay.networkChanged(false);
  relay.networkChanged(true);
  expect(heard).toEqual([false, true]);
});

test('who stopped listening hears nothing more, also when it stops during a change', () => {
  const relay = networkRelay(true);
  const second = vi.fn();
  const stopFirst = relay.onChange(() => stopFirst());
  relay.onChange(second);
  relay.networkChanged(false);
  relay.networkChanged(true);
  expect(second).toHaveBeenCalledTimes(2);
});
