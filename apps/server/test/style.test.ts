import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { WORDS } from './plain-words.ts';

// Plain English in comments and test names, and the size of files, as CONTRIBUTING.md promises them.

const ROOT = resolve(import.meta.dirname, '../../..');

/** Files that a program writes; their words come from elsewhere. */
const GENERATED = new Set(['apps/server/src/platform/database/schema.ts', 'packages/client/src/types.ts']);
const MOST_LINES = 300;
const LONGEST_TEST_NAME = 80;

/** Openings that name neither the thing (a noun) nor what it does (a verb). */
const OPENING =
  /^(what|who|whoever|whose|whom|which|whichever|whatever|however|how|nobody|nothing|none|of|by|so|(on|in|by|for|to|with|from|at|of) (which|whom|what))\b/i;

const sources = globSync(['{packages,apps}/*/{src,test,messages}/**/*.{ts,tsx}', '{bench,e2e,scripts}/**/*.{ts,mjs}'], {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
})
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !GENERATED.has(file))
  .sort();
const textOf = new Map(sources.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));

interface Comment {
  place: string;
  text: string;
}

/** Comments of a file that begin their line; lines of `//` that follow each other are one comment. */
function commentsOf(file: string, text: string): Comment[] {
  const comments: Comment[] = [];
  let open: 'block' | 'line' | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const found = open === 'block' ? /^\s*(\*?)(.*)$/.exec(line) : /^\s*\{?(\/\*\*?|\/\/)(?!\/)(.*)$/.exec(line);
    if (!found) {
      open = undefined;
      continue;
    }
    const words = (found[2] ?? '').replace(/\*\/.*$/, '').trim();
    const last = comments.at(-1);
    if (open && last) last.text = `${last.text} ${words}`.trim();
    else comments.push({ place: `${file}:${index + 1}`, text: words });
    if (found[1] === '//') open = 'line';
    else open = line.includes('*/') ? undefined : 'block';
  }
  // Code in backticks and quoted text are not ours to word.
  return comments.map(({ place, text: said }) => ({ place, text: said.replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, '``') }));
}

const comments = sources.flatMap((file) => commentsOf(file, textOf.get(file) ?? ''));

test('a comment begins with a noun or a verb', () => {
  assert.ok(comments.length > 5_000, `${comments.length} comments were seen`);
  assert.deepEqual(
    comments.filter(({ text }) => OPENING.test(text)).map(({ place, text }) => `${place} ${text}`),
    [],
  );
});

test('a comment uses plain words', () => {
  const found = comments.flatMap(({ place, text }) =>
    WORDS.filter(([word]) => word.test(text)).map(
      ([word, plain]) => `${place} “${word.exec(text)?.[0]}”: write ${plain}`,
    ),
  );
  assert.deepEqual(found, []);
});

test('the name of a test is short enough for one line of a report', () => {
  const names = sources
    .filter((file) => /\.test\.tsx?$/.test(file))
    .flatMap((file) =>
      [...(textOf.get(file) ?? '').matchAll(/^\s*(?:await )?(?:t\.)?test\(\s*(['"`])(.*?)\1,/gm)].map(
        (name) => `${file}: ${name[2]}`,
      ),
    );
  assert.deepEqual(
    names.filter((name) => name.slice(name.indexOf(': ') + 2).length > LONGEST_TEST_NAME),
    [],
  );
});

test('files are short enough to be read at one sitting', () => {
  const long = sources
    .map((file) => ({ file, lines: (textOf.get(file) ?? '').split('\n').length - 1 }))
    .filter(({ lines }) => lines > MOST_LINES);
  assert.deepEqual(long, []);
});

/** Words that make two log lines about the same thing differ, and the one spelling of them. */
const LOG_WORDS: readonly (readonly [RegExp, string])[] = [
  ...WORDS,
  [/^(a|an|the) /i, 'no article'],
  [/^(?!TLS|NATS|SMPP|PDU|ID\b|MAIL_URL)[A-Z]/, 'lower case'],
  [/[.!]$/, 'no full stop'],
  [/\$\{/, 'the variable part as a field'],
  [/\btrying\b/, '"retrying"'],
  [/\b(could|can) ?not be\b/, '"could not" and a verb'],
  [/\b(nobody|alone|told)\b/, 'what the process did'],
];

/** Messages of a file's log calls that stand in the call itself, after the fields. */
function logLinesOf(file: string, text: string): Comment[] {
  const calls = text.matchAll(
    /\b(?:\w*[lL]og|about)\s*\.(?:debug|info|warn|error|fatal)\(\s*(?:\w+,|\{[^;]*?\},)?\s*(['"`])(.*?)\1/g,
  );
  return [...calls].map((call) => ({
    place: `${file}:${text.slice(0, call.index).split('\n').length}`,
    text: call[2] ?? '',
  }));
}

test('a log line is lower case, with the same words each time', () => {
  const lines = sources
    .filter((file) => file.startsWith('apps/server/src/'))
    .flatMap((file) => logLinesOf(file, textOf.get(file) ?? ''));
  assert.ok(lines.length > 100, `${lines.length} log lines were seen`);
  const found = lines.flatMap(({ place, text }) =>
    LOG_WORDS.filter(([word]) => word.test(text)).map(([, plain]) => `${place} “${text}”: write ${plain}`),
  );
  assert.deepEqual(found, []);
});

/** Idioms and spellings that an article or an answer of a command avoids, and the plain word. */
const PROSE_WORDS: readonly (readonly [RegExp, string])[] = [
  ...WORDS,
  [/\b(tells|told)\b/i, 'shows, returns, reports or notifies'],
  [/\b(to and fro|half-way|a slip of|in silence)\b/i, 'an everyday word'],
  [/\b(call|calls|called|calling) (it |a batch |them )?off\b/i, 'cancel'],
  [/\b(anybody's|nobody's|everybody's) (alone|only)\b/i, 'only …'],
  [/\balone\b/i, 'only'],
  [/\bstands? (in|under|beside|there|behind)\b/i, 'is'],
  [/\bwhat (becomes|became) of\b/i, 'the state or the outcome of'],
];

/** Sentences that another party prescribes to the letter. */
const PRESCRIBED = /Can not delete this because there are dependencies/g;

test('an article uses plain words', () => {
  const articles = globSync('apps/server/src/seed/guide/*.md', { cwd: ROOT });
  assert.ok(articles.length > 60, `${articles.length} articles were seen`);
  const found = articles.flatMap((file) =>
    // Examples are the programs of docs/examples.
    readFileSync(join(ROOT, file), 'utf8')
      .replace(/```[\s\S]*?```/g, (code) => code.replace(/[^\n]/g, ''))
      .replace(PRESCRIBED, '')
      .split('\n')
      .flatMap((line, index) =>
        PROSE_WORDS.filter(([word]) => word.test(line)).map(
          ([word, plain]) => `${file}:${index + 1} “${word.exec(line)?.[0]}”: write ${plain}`,
        ),
      ),
  );
  assert.deepEqual(found, []);
});

/** Strings of a command that contain a space, so that people read them. */
const sentencesIn = (text: string): string[] =>
  [...text.matchAll(/(['`])((?:[A-Z]|\$\{)[^'`\n]* [^'`\n]*)\1/g)].map((said) =>
    (said[2] ?? '').replace(/\$\{[^}]*\}/g, ''),
  );

test('a command uses plain words', () => {
  const commands = sources.filter((file) =>
    /^packages\/client\/src\/cli|^apps\/server\/src\/(processes|modules\/operate|platform\/config)\/|^scripts\//.test(
      file,
    ),
  );
  const found = commands.flatMap((file) =>
    sentencesIn(textOf.get(file) ?? '').flatMap((text) =>
      PROSE_WORDS.filter(([word]) => word.test(text)).map(
        ([word, plain]) => `${file} “${text}” has “${word.exec(text)?.[0]}”: write ${plain}`,
      ),
    ),
  );
  assert.deepEqual(found, []);
});
