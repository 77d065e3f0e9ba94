import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { BusinessError } from '../errors.ts';
import { escaped } from '../text/escaped.ts';
import { contentPolicy, newNonce } from './safe-headers.ts';

/** Head of the page before its scripts run: the tab's title, its color, and its own icon if it has one. */
interface PageHead {
  name: string;
  color: string;
  /** Null for the icon in the page. */
  icon: string | null;
}

const MANIFEST = '/manifest.webmanifest';
/** Icons of the platform, which are files of the console. */
const ICONS = [
  { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
];

/** Answers what a phone needs to install the console: the brand of the host, and its icon. */
const manifestOf = ({ name, color, icon }: PageHead) => ({
  id: '/',
  name,
  short_name: name.slice(0, 12),
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: color,
  icons: icon === null ? ICONS : [{ src: icon.startsWith('/') ? icon : initial(name, color), sizes: 'any' }],
});

/** Draws the icon of a brand that has none: its first letter on its color. */
const initial = (name: string, color: string) => {
  const letter = escaped([...name][0]?.toUpperCase() ?? '');
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="${escaped(color)}"/>` +
    `<text x="32" y="44" font-family="sans-serif" font-size="36" font-weight="700" fill="#fff" text-anchor="middle">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};

/**
 * Serves the built console. Every path that is neither a file nor a call is the application itself, with the head that
 * `headOf` answers for the host: a tab never shows another name first.
 */
export async function serveConsole(
  server: FastifyInstance,
  folder: string,
  headOf: (host: string) => Promise<PageHead>,
): Promise<void> {
  const index = join(folder, 'index.html');
  const built = existsSync(index);
  server.get(MANIFEST, async ({ hostname }, reply) => {
    const head = await headOf(hostname).catch(() => null);
    return reply
      .header('cache-control', 'no-cache')
      .type('application/manifest+json')
      .send(manifestOf(head ?? { name: 'Heliograph', color: '#2f5fde', icon: null }));
  });
  if (built) await serveFiles(server, folder);
  const page = async (host: string, nonce: string) => {
    const html = (await readFile(index, 'utf8')).replace(' nonce=""', ` nonce="${nonce}"`);
    // Without its database the application still loads, and shows the fault itself.
    const head = await headOf(host).catch(() => null);
    if (!head) return html;
    const titled = html.replace(/<title>[^<]*/, () => `<title>${escaped(head.name)}`);
    const { icon } = head;
    return icon === null ? titled : titled.replace(/(<link rel="icon" href=")[^"]*/, (_, tag) => tag + escaped(icon));
  };
  server.setNotFoundHandler(async (request, reply) => {
    // Files are not counted. This page is counted, because it reads the database.
    server.callLimits.count(request);
    const { method, url, hostname } = request;
    if (!built || isForPrograms(url)) throw new BusinessError('not_found');
    if (!['GET', 'HEAD'].includes(method)) {
      reply.header('allow', PAGE_METHODS);
      throw new BusinessError('method_not_allowed', { params: { method, allowed: PAGE_METHODS } });
    }
    const nonce = newNonce();
    return reply
      .header('content-security-policy', contentPolicy(nonce))
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(await page(hostname, nonce));
  });
}

/** Serves the files of the built console. */
async function serveFiles(server: FastifyInstance, folder: string): Promise<void> {
  await server.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, unlimited: true };
    });
    await files.register(fastifyStatic, {
      root: folder,
      index: false,
      cacheControl: false,
      // The page itself is answered below, with its head.
      allowedPath: (path) => path !== '/index.html' && !path.endsWith('/'),
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  });
}

const PAGE_METHODS = 'GET, HEAD';

/** First parts of paths that programs call; a person who types one is not shown the application. */
const FOR_PROGRAMS = new Set(['api', 'oauth', 'broadcasting', 'app', 'v1', 'problems', 'assets']);

/** Tells whether a path without a route begins like those of programs, in any spelling. */
function isForPrograms(url: string): boolean {
  let path = url.split(/[?#]/, 1)[0]!;
  try {
    path = decodeURIComponent(path);
  } catch {
    // A path that cannot be decoded is examined as it is.
  }
  const [first = ''] = path.split(/[/\\;]+/).filter((part) => part !== '');
  return FOR_PROGRAMS.has(first.trim().toLowerCase());
}
