import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import { serveConsole } from '../../src/platform/http/console-page.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { createLogger } from '../../src/platform/log.ts';

test('the page has its host’s name before scripts run, and no name carries a script', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-page-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, 'index.html'),
    '<title>Heliograph</title><link rel="icon" href="/favicon.svg" /><p>$&</p>',
  );
  const config = readConnectedConfig({ DATABASE_URL: 'postgres://nobody/nothing', LOG_LEVEL: 'silent' });
  const server = await createServer(config, createLogger(config, 'page'));
  t.after(() => server.close());
  const heads: Record<string, { name: string; color: string; icon: string | null }> = {
    'a.test': { name: '</title><script>alert("$&")</script>', color: '#112233', icon: '/x"y' },
    'b.test': { name: 'B', color: '#445566', icon: null },
    'd.test': { name: 'd', color: '#778899', icon: 'data:,' },
  };
  await serveConsole(server, folder, async (host) => heads[host] ?? Promise.reject(new Error('no database')));
  const pageAt = async (host: string, url: string) => (await server.inject({ url, headers: { host } })).body;
  const rest = '<p>$&</p>';
  for (const url of ['/', '/index.html', '/login']) {
    assert.equal(
      await pageAt('a.test:81', url),
      `<title>&#60;/title&#62;&#60;script&#62;alert(&#34;$&#38;&#34;)&#60;/script&#62;</title><link rel="icon" href="/x&#34;y" />${rest}`,
    );
    assert.equal(await pageAt('b.test', url), `<title>B</title><link rel="icon" href="/favicon.svg" />${rest}`);
    assert.match(await pageAt('c.test', url), /<title>Heliograph</);
  }
  const manifestAt = async (host: string) => JSON.parse(await pageAt(host, '/manifest.webmanifest'));
  const a = await manifestAt('a.test');
  assert.deepEqual(
    [a.name, a.theme_color, a.icons],
    [heads['a.test']!.name, '#112233', [{ src: '/x"y', sizes: 'any' }]],
  );
  const b = await manifestAt('b.test');
  assert.deepEqual([b.name, b.display, b.icons.length], ['B', 'standalone', 3]);
  const [letter] = (await manifestAt('d.test')).icons;
  assert.match(decodeURIComponent(letter.src), /^data:image\/svg\+xml,.*fill="#778899".*>D</);
  assert.equal((await manifestAt('c.test')).name, 'Heliograph');
});
