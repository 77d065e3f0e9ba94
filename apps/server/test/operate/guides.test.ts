import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { settingNotes } from '../../src/platform/config/config.ts';
import { testDatabase } from '../template-database.ts';
import { ROOT, sectionOf } from './guide-text.ts';

// Guides for operators: the commands that they ask to type must exist and run.

const OWN = globSync('*.md', { cwd: join(ROOT, 'docs/operate') });
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const guides = OWN.map((name) => ({ path: `docs/operate/${name}`, text: read(`docs/operate/${name}`) }));
const all = [...guides, { path: 'docs/operations.md', text: read('docs/operations.md') }];

/** Returns the anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s/g, '-');

test('every link of the guides leads to an existing page and heading', () => {
  let links = 0;
  for (const { path, text } of all)
    for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
      if (target.startsWith('http')) continue;
      links++;
      const [file = '', anchor] = target.split('#');
      const page = file === '' ? join(ROOT, path) : resolve(ROOT, dirname(path), file);
      assert.ok(existsSync(page), `${path}: ${target}`);
      if (anchor === undefined) continue;
      const headings = [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));
      assert.ok(headings.includes(anchor), `${path}: ${target}`);
    }
  assert.ok(links > 30, `${links} links`);
});

test('every SQL statement in a guide runs', async () => {
  const { url: _, pool } = await testDatabase({ after });
  const owner = pool('owner');
  let ran = 0;
  for (const { path, text } of guides)
    for (const [, statement = ''] of text.matchAll(/psql "\$DATABASE_URL" -c "([^"]+)"/g)) {
      ran++;
      assert.match(statement, /^(SELECT|UPDATE node) /, path);
      await owner.query(statement).catch((error: Error) => assert.fail(`${path}: ${statement}: ${error.message}`));
    }
  assert.ok(ran >= 15, `${ran} statements`);
});

test('commands, units, scripts, settings and metrics named by a guide exist', () => {
  const launcher = read('deploy/heliograph');
  const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;
  const source = globSync('apps/server/src/**/*.ts', { cwd: ROOT }).map(read).join('\n');
  const settings = new Set(settingNotes.map(({ name }) => name));
  const composeVariables = read('deploy/compose.yaml');
  for (const { path, text } of guides) {
    const code = [...text.matchAll(/```[^`]*```|`[^`\n]+`/g)].map(([found]) => found).join('\n');
    const found = (pattern: RegExp) => [...new Set([...code.matchAll(pattern)].map(([, name]) => name!))];
    for (const name of found(/(?:^|[\s;`])heliograph ([a-z][a-z-]+)/gm))
      assert.match(launcher, new RegExp(`^ {2}${name} `, 'm'), `${path}: heliograph ${name}`);
    for (const name of found(/heliograph-(api|worker|sender|smpp-server|migrate)\b/g))
      assert.ok(existsSync(join(ROOT, `deploy/systemd/heliograph-${name}.service`)), `${path}: ${name}`);
    for (const name of found(/npm run ([a-z-]+)/g)) assert.ok(name in scripts, `${path}: npm run ${name}`);
    for (const name of found(
      /\b((?:S3|FILES|DATABASE|SMPP|OPERATIONS|TRUST|PUBLIC|SECRET|NATS|MAIL|PRIVATE|STOP)_[A-Z0-9_]+)\b/g,
    ))
      assert.ok(settings.has(name) || composeVariables.includes(`{${name}:`), `${path}: ${name}`);
    for (const name of found(/\^heliograph_\(([^)]+)\)/g).flatMap((names) => names.split('|')))
      assert.ok(source.includes(`'${name}'`), `${path}: heliograph_${name}`);
  }
});

test('every symptom of the night leads to a section with existing commands', () => {
  const text = read('docs/operate/at-night.md');
  const targets = [...text.matchAll(/^\|.*\]\(([\w.-]*)#([\w-]+)\)/gm)].map(([, page, anchor]) => [
    page || 'at-night.md',
    anchor!,
  ]);
  assert.ok(targets.length >= 12, `${targets.length} symptoms`);
  for (const [page, anchor] of targets) {
    const headings = [...read(`docs/operate/${page}`).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
    const section = sectionOf(page!, headings.find((heading) => anchorOf(heading) === anchor)!);
    assert.match(section, /`[^`]*\b(systemctl|psql|heliograph|npm run|journalctl|curl) /, `${page}#${anchor}`);
  }
  // Programs that a machine of the guides has, or that we supply.
  const programs = /^(set|heliograph|systemctl|journalctl|psql|sudo|curl|df|du|pg_isready|ls|tail|top|ssh|grep|rm|mv)$/;
  for (const [, block] of text.matchAll(/^```\n([\s\S]+?)^```$/gm))
    for (const line of block!
      .trim()
      .split('\n')
      .filter((each) => !each.startsWith('#')))
      assert.match(line.split(' ')[0]!, programs, line);
});
