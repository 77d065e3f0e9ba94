import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, firefox } from 'playwright-core';
import type { Scope } from '../apps/server/test/template-database.ts';
import { PATIENCE_MS, type ProxySettings } from './house.ts';

/** Path of a Firefox from its maker, or undefined if it is not installed. */
const installed = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['firefox-esr', 'firefox'].map((name) => join(folder, name)))
  .find((path) => existsSync(path));

/** Reason why tests in Firefox cannot run here, or false; if CI is set they fail instead. */
export const withoutFirefox = !installed && !process.env['CI'] ? 'Firefox is not installed' : false;

/** The server part of Playwright that speaks WebDriver BiDi. */
interface BidiSession {
  send(method: string, parameters?: unknown): Promise<unknown>;
}
interface Inside {
  _connection: { toImpl(browser: unknown): { _browserSession: BidiSession } };
}

/** Returns the preferences that send requests over TLS through a proxy. */
function proxyPreferences({ server }: ProxySettings): Record<string, string | number> {
  const { hostname, port } = new URL(server);
  return { 'network.proxy.type': 1, 'network.proxy.ssl': hostname, 'network.proxy.ssl_port': Number(port) };
}

/**
 * Opens the installed Firefox over WebDriver BiDi; it closes with the scope. Its extended support release does not know
 * the command for media features, which Playwright sends for each context. A preference sets reduced motion instead.
 */
export async function openFirefox(t: Scope, proxy?: ProxySettings): Promise<Browser> {
  if (!installed) throw new Error('Firefox is not installed: .ci/run installs firefox-esr.');
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: installed,
    firefoxUserPrefs: {
      'ui.prefersReducedMotion': 1,
      // As in Chromium: a service worker would load all screens beside the tests.
      'dom.serviceWorkers.enabled': false,
      ...(proxy && proxyPreferences(proxy)),
    },
  });
  t.after(() => browser.close());
  const { _browserSession } = (browser as unknown as Inside)._connection.toImpl(browser);
  const sessions = Object.getPrototypeOf(_browserSession) as BidiSession;
  const send = sessions.send;
  sessions.send = function (method, parameters) {
    if (method === 'emulation.setMediaFeaturesOverride') return Promise.resolve({});
    return send.call(this, method, parameters);
  };
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}
