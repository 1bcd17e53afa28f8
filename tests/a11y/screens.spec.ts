import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '../support/fixtures';

const ROUTES = ['/', '/new?folder=sample', '/endpoints', '/storage', '/settings', '/help', '/check'];

for (const language of ['en', 'zh-CN']) {
  for (const theme of ['light', 'dark']) {
    test(`every screen is clean for assistive technology: ${language}, ${theme}`, async ({ openApp }) => {
      test.setTimeout(180_000);
      const app = await openApp({ path: '/settings' });
      await app.get('language').selectOption(language);
      await app.get('theme').selectOption(theme);
      await expect(app.page.locator('html')).toHaveAttribute('lang', language);
      const task = await app.startTask({ folder: null, endpoint: 'built-in' });
      await task.waitForStatus('completed', { timeoutMs: 60_000 });
      const tabs = ['files', 'report', 'activity', 'checkpoints'].map((tab) => `/task?id=${task.id}&tab=${tab}`);
      const expectClean = async (what: string) => {
        const { violations } = await new AxeBuilder({ page: app.page }).setLegacyMode().analyze();
        expect(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
          what,
        ).toEqual([]);
      };
      for (const path of [...ROUTES, ...tabs]) {
        await app.open(path);
        await expect(app.page.getByRole('heading', { level: 1 }).first()).toBeVisible();
        await expectClean(path);
      }
      await app.open('/endpoints');
      await app.get('endpoint-add').click();
      await app.get('more-settings').click();
      await app.get('setting-body').fill('{"top_k": 40,}');
      await expect(app.get('endpoint-save')).toBeDisabled();
      await expectClean('a new endpoint with all its settings');
    });
  }
}
