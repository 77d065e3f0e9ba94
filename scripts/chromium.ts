import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';

/** Variable that names the browser to use. The tests read in it the browser that was found. */
export const CHROMIUM_VARIABLE = 'CHROMIUM_PATH';

const USUAL_PLACES: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: [
    // The same browser without windows: the tests need a quarter less of the processor with it.
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/google-chrome',
    '/usr/bin/microsoft-edge',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

/** Checks that a browser starts. The file may not be one: Ubuntu's /usr/bin/chromium-browser only asks for a snap. */
function works(path: string): boolean {
  if (!existsSync(path)) return false;
  if (process.platform === 'win32') return true;
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

function findChromium(): string | undefined {
  return [...(USUAL_PLACES[process.platform] ?? []), chromium.executablePath()].find(works);
}

const say = (text: string) => process.stderr.write(`${text}\n`);

function installFromDebian(): void {
  const isDebian = existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');
  if (!isDebian || process.getuid?.() !== 0) return;
  say('Installing Chromium with apt-get for the browser tests.');
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env: environment });
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell');
  if (!findChromium()) apt('install', '-y', '-qq', '--no-install-recommends', 'chromium');
}

function installFromPlaywright(): void {
  say('Downloading Chromium for the browser tests.');
  const manifest = createRequire(import.meta.url).resolve('playwright-core/package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> };
  const command = join(dirname(manifest), bin['playwright-core'] ?? 'cli.js');
  spawnSync(process.execPath, [command, 'install', 'chromium'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Returns the path of a Chromium that starts; installs one if there is none. Throws an Error that says what to do. */
export function ensureChromium(): string {
  const named = process.env[CHROMIUM_VARIABLE];
  if (named) {
    if (works(named)) return named;
    throw new Error(`${CHROMIUM_VARIABLE} is "${named}", but no browser starts there. Correct it, or unset it.`);
  }
  for (const install of [undefined, installFromDebian, installFromPlaywright]) {
    install?.();
    const found = findChromium();
    if (found) return found;
  }
  throw new Error(
    `The browser tests need Chromium, but it could not be installed. Install Chromium or Google Chrome, or set ${CHROMIUM_VARIABLE} to the path of one, and run the tests again.`,
  );
}
