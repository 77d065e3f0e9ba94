import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page, Request } from 'playwright-core';

/** Faults in the pages of a context, and the data that they received. */
export interface Watch {
  /** Errors of the console and of the page, failed answers, and violations of the content security policy. */
  faults: string[];
  /** Texts that came from the server, if `reads` is set, so that data is not taken for words of the interface. */
  data: Set<string>;
  /** Waits until the screen has its data and nothing is being fetched. */
  settled(page: Page): Promise<void>;
}

/**
 * Watches all pages of a context. With `reads`, it also collects the server's texts, to compare them with the words on
 * screens.
 */
export function watch(context: BrowserContext, { reads = false } = {}): Watch {
  const faults: string[] = [];
  const data = new Set<string>();
  const pending = new Set<Request>();
  const isCall = (address: string) => /\/(api|oauth|assets|broadcasting)\//.test(address);
  // If a busy machine is slow to connect without TLS, the library tries TLS as well.
  const triesTls = (text: string) => text.includes("WebSocket connection to 'wss://");
  context.on('console', (message) => {
    if (message.type() === 'error' && !triesTls(message.text())) faults.push(`console: ${message.text()}`);
  });
  // The browser's console reports most violations; the page itself gets an event for each.
  void context.addInitScript(() => {
    document.addEventListener(
      'securitypolicyviolation',
      ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
        console.error(`content security policy: ${violatedDirective} ${blockedURI} ${sourceFile}:${lineNumber}`);
      },
    );
  });
  context.on('weberror', (error) => faults.push(`page: ${error.error().message}`));
  context.on('request', (request) => {
    if (isCall(request.url())) pending.add(request);
  });
  context.on('requestfailed', (request) => pending.delete(request));
  context.on('requestfinished', async (request) => {
    try {
      if (reads && /\/api\//.test(request.url())) collect(await (await request.response())?.json(), data);
    } catch {
      // This was a file, or the answer for a page that has gone, so there are no words in it.
    } finally {
      pending.delete(request);
    }
  });
  return {
    faults,
    data,
    async settled(page) {
      const drawn = () => page.waitForFunction(isDrawn, undefined, { polling: 50, timeout: 120_000 });
      await drawn();
      const end = Date.now() + 120_000;
      for (let quiet = 0; quiet < 3; ) {
        if (Date.now() > end) throw new Error(`still waits for ${[...pending].map((one) => one.url()).join(', ')}`);
        await sleep(20);
        quiet = pending.size === 0 ? quiet + 1 : 0;
        if (quiet < 3) continue;
        // A busy browser answers when its current task is done, and may have made more requests by then.
        await drawn();
        if (pending.size > 0) quiet = 0;
      }
    },
  };
}

/** Returns true if a screen or a form is complete and nothing of it is still loading; runs in the page. */
function isDrawn(): boolean {
  const loading = document.querySelector('#page-loader, .mantine-Skeleton-root[data-visible], .mantine-Loader-root');
  return !loading && document.querySelector('h1, [role=dialog]') !== null;
}

function collect(value: unknown, into: Set<string>): void {
  if (typeof value === 'string' && /^<[a-z]/.test(value)) for (const line of linesOf(value)) into.add(line);
  else if (typeof value === 'string') for (const line of value.split('\n')) if (isSentence(line)) into.add(line.trim());
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) collect(part, into);
}

/**
 * Distinguishes words from codes and keys: words have a capital, a Chinese sign, a digit, a space, a placeholder or an
 * address.
 */
const isSentence = (text: string): boolean => text.length > 2 && /[\p{Lu}\p{Lo}\d @{]/u.test(text);

/** Returns the lines of HTML that a person reads. */
const linesOf = (html: string): string[] =>
  html
    .replace(/<\/?(?:strong|b|em|i|u|s|code|a)\b[^>]*>/g, '')
    .split(/<[^>]+>|\n/)
    .map((line) =>
      line
        .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name]!)
        .trim(),
    )
    .filter((line) => line.length > 1);

/**
 * Returns every line a person sees, and every label, title and placeholder that is read to them. Parts marked as being
 * in another language are left out.
 */
export function wordsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not read
    const lines = document.body.innerText.split('\n');
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
      if (element.checkVisibility({ visibilityProperty: true }))
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) lines.push(element.getAttribute(name) ?? '');
    const foreign = [...document.body.querySelectorAll<HTMLElement>('[lang]')]
      .filter(({ lang }) => lang !== document.documentElement.lang)
      // biome-ignore lint/performance/useDomNodeTextContent: as above
      .flatMap((element) => element.innerText.split('\n').map((line) => line.trim()));
    const left = new Set(lines.map((line) => line.trim()));
    for (const line of ['', ...foreign]) left.delete(line);
    return [...left];
  });
}

const MESSAGES = join(import.meta.dirname, '../packages/contract/messages/en');
const roots = readdirSync(MESSAGES).flatMap((file) =>
  Object.keys(JSON.parse(readFileSync(join(MESSAGES, file), 'utf8'))),
);
/** A message key, or a placeholder in a sentence that was not filled in. */
const KEY = new RegExp(`(?:^|\\s)(?:${[...new Set(roots)].join('|')})\\.[a-z_\\d-]+|\\{\\{|\\}\\}`);

/** Returns the lines that show a message key instead of the message, without the server's data. */
export function keysIn(lines: readonly string[], data: ReadonlySet<string>): string[] {
  const suspects = lines.filter((line) => KEY.test(line));
  if (suspects.length === 0) return [];
  const texts = longestFirst(data);
  return suspects.filter((line) => KEY.test(without(line, texts)));
}

const longestFirst = (data: ReadonlySet<string>): string[] => [...data].sort((a, b) => b.length - a.length);

/** Returns a line without the texts that came from the server; the longest are removed first. */
export function without(line: string, texts: readonly string[]): string {
  let rest = line;
  for (const text of texts) if (text.length <= rest.length) rest = rest.replaceAll(text, '');
  return rest;
}

/** Returns the lines that are the same as in English, without `known` terms and the server's data. */
export function englishIn(
  lines: readonly string[],
  english: ReadonlySet<string>,
  data: ReadonlySet<string>,
  known: RegExp,
) {
  const texts = longestFirst(data);
  return lines.filter((line) => {
    if (!english.has(line)) return false;
    return (without(line, texts).replace(known, '').match(/[a-z]/gi)?.length ?? 0) > 12;
  });
}
