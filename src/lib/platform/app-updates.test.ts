import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchAppUpdates } from './app-updates';

class FakeWorker extends EventTarget {
  readonly postMessage = vi.fn();
  constructor(public state: ServiceWorkerState) {
    super();
  }
  become(state: ServiceWorkerState): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

class FakeRegistration extends EventTarget {
  installing: FakeWorker | null = null;
  waiting: FakeWorker | null = null;
  active: FakeWorker | null = null;
  readonly update = vi.fn(() => Promise.resolve());

  find(): FakeWorker {
    this.installing = new FakeWorker('installing');
    this.dispatchEvent(new Event('updatefound'));
    return this.installing;
  }
}

class FakeContainer extends EventTarget {
  controller: FakeWorker | null = null;
  readonly registration = new FakeRegistration();
  readonly register = vi.fn(() => Promise.resolve(this.registration));
}

let container: FakeContainer;
let page: EventTarget;
let said: string[];
const reload = vi.fn();

function watch() {
  return watchAppUpdates(
    '/service-worker.js',
    { onOffline: (state) => said.push(state), onUpdateReady: () => said.push('update') },
    reload,
  );
}

const registered = () => vi.waitFor(() => expect(container.register).toHaveBeenCalled());

beforeEach(() => {
  vi.useFakeTimers();
  [container, page, said] = [new FakeContainer(), new EventTarget(), []];
  reload.mockClear();
  vi.stubGlobal('navigator', { serviceWorker: container });
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the first worker makes the app ready for offline use; it is no update and no reason to load again', async () => {
  watch();
  await registered();
  const worker = container.registration.find();
  worker.become('installed');
  expect(said).toEqual(['preparing']);
  container.registration.active = worker;
  worker.become('activated');
  container.dispatchEvent(new Event('controllerchange'));
  expect(said).toEqual(['preparing', 'ready']);
  expect(reload).not.toHaveBeenCalled();
});

test('a later worker waits until it is applied, then the page loads again', async () => {
  container.controller = container.registration.active = new FakeWorker('activated');
  const updates = watch();
  await registered();
  const next = container.registration.find();
  container.registration.waiting = next;
  next.become('installed');
  expect(said).toEqual(['preparing', 'ready', 'update']);
  expect(next.postMessage).not.toHaveBeenCalled();
  updates.apply();
  expect(next.postMessage).toHaveBeenCalledWith('activate-now');
  container.dispatchEvent(new Event('controllerchange'));
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a version that waited since the last visit is offered at once', async () => {
  container.registration.active = new FakeWorker('activated');
  container.registration.waiting = new FakeWorker('installed');
  watch();
  await vi.waitFor(() => expect(said).toEqual(['preparing', 'update', 'ready']));
});

test('it looks for a new version every hour and when the network is back, and a failed look is no error', async () => {
  container.registration.active = new FakeWorker('activated');
  const updates = watch();
  await vi.waitFor(() => expect(said).toContain('ready'));
  container.registration.update.mockRejectedValue(new TypeError('offline'));
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  page.dispatchEvent(new Event('online'));
  expect(container.registration.update).toHaveBeenCalledTimes(2);
  updates.stop();
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  page.dispatchEvent(new Event('online'));
  container.dispatchEvent(new Event('controllerchange'));
  expect(container.registration.update).toHaveBeenCalledTimes(2);
  expect(reload).not.toHaveBeenCalled();
});

test.each([
  ['there are no service workers', () => vi.stubGlobal('navigator', {})],
  ['the registration is refused', () => container.register.mockRejectedValue(new DOMException('no', 'SecurityError'))],
])('where %s, offline use is said to be unsupported', async (_why, forbid) => {
  forbid();
  watch();
  await vi.waitFor(() => expect(said.at(-1)).toBe('unsupported'));
});
