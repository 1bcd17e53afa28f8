import { fileText } from './bench-agent';
import { benchQuery, report, until } from './bench-run';

const { endpoint, files } = benchQuery();

/** The app in a frame of the same origin: its long tasks are seen here, with no tool attached to it. */
const frame = document.createElement('iframe');
frame.style.cssText = 'width: 1280px; height: 900px; border: 0';

function find(selector: string): Element | null {
  return frame.contentDocument?.querySelector(selector) ?? null;
}

/** Classes of the frame are not this page's, so fields are known by their name and not by their class. */
async function element(selector: string): Promise<Element> {
  await until(async () => find(selector) !== null);
  const found = find(selector);
  if (!found) throw new Error(`${selector} went away`);
  return found;
}

const byId = (id: string) => `[data-testid="${id}"]`;

async function setValue(id: string, value: string): Promise<void> {
  const field = await element(byId(id));
  Reflect.set(field, 'value', value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

async function load(path: string): Promise<void> {
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  frame.src = path;
  await loaded;
}

/** What the home page fetched before anyone touched it, for someone who reads this language. */
async function firstLoad(language: string): Promise<string[]> {
  localStorage.setItem('talaria.language', language);
  await load('/');
  await element(byId('new-task'));
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const view = frame.contentWindow as (Window & typeof globalThis) | null;
  const entries = view?.performance.getEntriesByType('resource') ?? [];
  return ['/', ...entries.map(({ name }) => new URL(name).pathname)];
}

function chosenFiles(): FileList {
  const transfer = new DataTransfer();
  for (let index = 0; index < files; index += 1) {
    const file = new File([fileText(index)], `${String(index).padStart(5, '0')}.txt`);
    Object.defineProperty(file, 'webkitRelativePath', { value: `bench/${file.name}` });
    transfer.items.add(file);
  }
  return transfer.files;
}

async function startInApp(): Promise<void> {
  await load('/new');
  const input = await element(byId('folder-input'));
  const chosen = chosenFiles();
  Object.defineProperty(input, 'files', { value: chosen, configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await until(async () => Number(find(byId('file-count'))?.getAttribute('data-value')) === files);
  await setValue('endpoint-select', 'new');
  await setValue('endpoint-url', endpoint);
  await setValue('concurrency', '6');
  ((await element(byId('start'))) as HTMLButtonElement).click();
  await element(byId('task-state'));
}

report(async () => {
  document.body.append(frame);
  const fetched = { 'zh-CN': await firstLoad('zh-CN'), en: await firstLoad('en') };
  await startInApp();
  const settled = () => Number(find(byId('progress'))?.getAttribute('aria-valuenow'));
  await until(async () => settled() >= 20);
  const longTasks: number[] = [];
  const observer = new PerformanceObserver((list) =>
    longTasks.push(...list.getEntries().map(({ duration }) => duration)),
  );
  observer.observe({ entryTypes: ['longtask'] });
  const began = performance.now();
  const before = settled();
  await until(async () => settled() >= files * 0.9, 250);
  const seconds = (performance.now() - began) / 1000;
  observer.disconnect();
  return { fetched, longTasks, changesPerSecond: (settled() - before) / seconds };
});
