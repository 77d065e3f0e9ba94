import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '@heliograph/contract/api/openapi';

// `npm run lint-api`: prints the findings of two common linters about the document of the public API. Both are
// downloaded for the run, because they bring 270 packages. packages/contract/test/openapi.test.ts has the rules that
// matter and runs with all tests.

const LINTERS = [
  ['@redocly/cli@2.77.0', 'redocly', 'lint', '--extends', 'recommended-strict'],
  ['@stoplight/spectral-cli@6.16.3', 'spectral', 'lint', '--fail-severity', 'warn', '--ruleset', 'rules.json'],
] as const;

const cwd = mkdtempSync(join(tmpdir(), 'heliograph-openapi-'));
try {
  writeFileSync(join(cwd, 'rules.json'), JSON.stringify({ extends: ['spectral:oas'] }));
  for (const [name, url] of Object.entries({ set: 'https://sms.heliograph.test', unset: '/' })) {
    const file = `public-url-${name}.json`;
    writeFileSync(join(cwd, file), JSON.stringify(openApiDocument({ title: 'Heliograph', url }), null, 2));
    for (const [version, command, ...options] of LINTERS) {
      const { status } = spawnSync('npm', ['exec', '--yes', `--package=${version}`, '--', command, ...options, file], {
        cwd,
        stdio: 'inherit',
      });
      if (status !== 0) process.exitCode = 1;
    }
  }
} finally {
  rmSync(cwd, { recursive: true, force: true });
}
