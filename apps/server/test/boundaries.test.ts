import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { CHECKED_VERSIONS } from '../src/platform/driver/internals.ts';
import { circleFrom, importsOf, resolveImport, valueImportsOf } from './imports.ts';
import { EDGES } from './module-edges.ts';

// Import rules: the table of ARCHITECTURE.md. The edges between modules are in module-edges.ts.
const ROOT = resolve(import.meta.dirname, '../../..');
const KERNEL = /^packages\/contract\/src\/kernel\//;
const CONTRACT = /^packages\/contract\/(src|messages)\//;
const INSTALLATION = /^packages\/installation\/src\//;
const SMPP = /^packages\/smpp\/src\//;
/** React, the component library, and the libraries for links and stored state that its parts need. */
const COMPONENT_LIBRARY =
  /^(react|react-dom|react-i18next|i18next|dayjs|recharts|zustand|mantine-datatable|@mantine|@tabler|@tanstack\/react-router)(\/|$)/;

/** A file that imports, and its import: a path of this repository, or the name of a package. */
interface Edge {
  from: string;
  to: string;
}

interface Rule {
  name: string;
  of: RegExp;
  /** Whether this part of the repository may import `to`; `part` is the first group of `of`. */
  allows(to: string, part: string): boolean;
}

const isOurs = (to: string) => /^(packages|apps|scripts|bench|e2e)\//.test(to);
const oneOf =
  (...patterns: RegExp[]) =>
  (to: string) =>
    patterns.some((pattern) => pattern.test(to));
const isLibrary = (to: string) => !isOurs(to) && !to.startsWith('node:');

const RULES: readonly Rule[] = [
  { name: 'contract', of: /^packages\/contract\/src\//, allows: oneOf(CONTRACT, /^zod$/) },
  { name: 'smpp', of: SMPP, allows: oneOf(SMPP, /^node:(net|tls|buffer|events|timers(\/promises)?|crypto)$/) },
  {
    name: 'carrier-simulator',
    of: /^packages\/carrier-simulator\/src\//,
    allows: oneOf(/^packages\/carrier-simulator\/src\//, SMPP, /^node:/),
  },
  {
    name: 'payment-simulator',
    of: /^packages\/payment-simulator\/src\//,
    allows: oneOf(/^packages\/payment-simulator\/src\//, /^node:/),
  },
  // The client goes to customers: it imports nothing of this repository and uses only what browsers have. Its command
  // may use Node. The reader of files is packed with it, so that it reads the same files as the console.
  { name: 'client', of: /^packages\/client\/src\/(?!cli)/, allows: oneOf(/^packages\/client\/src\/(?!cli)/) },
  {
    name: 'the command of the client',
    of: /^packages\/client\/src\/cli/,
    allows: oneOf(
      /^packages\/client\/src\//,
      /^node:/,
      /^apps\/server\/src\/platform\/(table\/|errors\.ts$)/,
      /^packages\/contract\/(messages\/en\/kernel\.json|src\/kernel\/file-reading\.ts)$/,
    ),
  },
  // A data folder, its PostgreSQL and its backups: no product.
  {
    name: 'installation',
    of: /^packages\/installation\/src\//,
    allows: (to) => !isOurs(to) || INSTALLATION.test(to),
  },
  { name: 'fault-kit', of: /^packages\/fault-kit\/src\//, allows: oneOf(/^packages\/fault-kit\/src\//, /^node:/) },
  {
    name: 'server/platform',
    of: /^apps\/server\/src\/platform\//,
    allows: (to) =>
      !isOurs(to) ||
      oneOf(/^apps\/server\/src\/platform\//, INSTALLATION, KERNEL, /^packages\/contract\/messages\//)(to),
  },
  {
    name: 'server/modules',
    of: /^apps\/server\/src\/modules\/([^/]+)\//,
    allows: (to, module) => {
      if (!isOurs(to) || oneOf(/^apps\/server\/src\/platform\//, INSTALLATION, CONTRACT)(to)) return true;
      if (SMPP.test(to)) return module === 'delivery' || module === 'smpp-server' || module === 'doors';
      const other = /^apps\/server\/src\/modules\/([^/]+)\/(.+)$/.exec(to);
      if (!other) return false;
      return other[1] === module || (other[2] === 'index.ts' && EDGES[module]?.includes(other[1] ?? '') === true);
    },
  },
  {
    name: 'server/seed',
    of: /^apps\/server\/src\/seed\//,
    allows: (to) => !isOurs(to) || /^(packages|apps\/server\/src\/(seed|platform|modules))\//.test(to),
  },
  {
    name: 'console/ui',
    of: /^apps\/console\/src\/ui\//,
    allows: oneOf(/^apps\/console\/src\/ui\//, COMPONENT_LIBRARY),
  },
  {
    name: 'console/platform',
    of: /^apps\/console\/src\/platform\//,
    allows: (to) => isLibrary(to) || oneOf(/^apps\/console\/src\/platform\//, CONTRACT)(to),
  },
  {
    name: 'console/resource',
    of: /^apps\/console\/src\/resource\//,
    allows: (to) => isLibrary(to) || oneOf(/^apps\/console\/src\/(resource|ui|platform)\//, KERNEL)(to),
  },
  {
    name: 'console/modules',
    of: /^apps\/console\/src\/modules\/([^/]+)\//,
    allows: (to, module) => {
      if (isLibrary(to) || oneOf(/^apps\/console\/src\/(resource|ui|platform)\//, CONTRACT)(to)) return true;
      const other = /^apps\/console\/src\/modules\/([^/]+)\/(.+)$/.exec(to);
      return other !== null && (other[1] === module || /^index\.tsx?$/.test(other[2] ?? ''));
    },
  },
  {
    name: 'console/app',
    of: /^apps\/console\/src\/(?:app\/|main\.tsx)/,
    allows: (to) => isLibrary(to) || oneOf(/^apps\/console\/src\//, CONTRACT)(to),
  },
];

function violationOf({ from, to }: Edge): string | undefined {
  if (/^apps\/server\/src\/processes\//.test(to) && !/^apps\/server\/src\/processes\//.test(from)) {
    return `${from} imports ${to}: nobody imports the processes`;
  }
  if (
    /^packages\/(carrier|payment)-simulator\//.test(to) &&
    /^apps\/server\/src\/(?!processes\/simulator\.ts)/.test(from)
  ) {
    return `${from} imports ${to}: only tests, demos and the process of the simulator start it`;
  }
  for (const { name, of, allows } of RULES) {
    const part = of.exec(from);
    if (part && !allows(to, part[1] ?? '')) return `${from} imports ${to}: not for ${name}`;
  }
  return undefined;
}

const sources = globSync(['packages/*/src/**/*.{ts,tsx}', 'apps/*/src/**/*.{ts,tsx}'], {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
})
  .map((file) => file.replaceAll('\\', '/'))
  .sort();
const textOf = new Map(sources.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));

const edges = sources.flatMap((from) =>
  importsOf(textOf.get(from) ?? '').map((specifier) => ({ from, to: resolveImport(from, specifier) })),
);

test('every import follows the table of allowed imports', () => {
  // A scan that reads nothing would find nothing. The repository has at least this many files and imports.
  assert.ok(sources.length >= 200, `${sources.length} files were seen`);
  assert.ok(edges.length >= 900, `${edges.length} imports were seen`);
  for (const { name, of } of RULES)
    assert.ok(
      sources.some((file) => of.test(file)),
      `no file is of ${name}`,
    );
  assert.deepEqual(edges.map(violationOf).filter(Boolean), []);
});

test('no files import each other in a cycle, except types', () => {
  const uses = new Map(
    sources.map((file) => [
      file,
      valueImportsOf(textOf.get(file) ?? '').map((specifier) => resolveImport(file, specifier)),
    ]),
  );
  const seen = new Set<string>();
  assert.deepEqual(
    sources.map((file) => circleFrom(file, uses, seen)).filter((circle) => circle.length > 0),
    [],
  );
});

test('every edge between modules that the table allows is used', () => {
  const isUsed = (from: string, to: string) =>
    edges.some(
      (edge) =>
        edge.from.startsWith(`apps/server/src/modules/${from}/`) &&
        edge.to === `apps/server/src/modules/${to}/index.ts`,
    );
  const unused = Object.entries(EDGES).flatMap(([from, tos]) =>
    tos.filter((to) => !isUsed(from, to)).map((to) => `${from} → ${to}`),
  );
  assert.deepEqual(unused, []);
});

test('every source file belongs to a part that the table names', () => {
  const spoken = [...RULES.map(({ of }) => of), /^apps\/server\/src\/processes\//, /^apps\/console\/src\/\w+\.d\.ts$/];
  assert.deepEqual(
    sources.filter((file) => !spoken.some((of) => of.test(file))),
    [],
  );
});

test('only the configuration, separate programs and test helpers read the environment', () => {
  const readers = sources.filter((file) => /\bprocess\.env\b/.test(textOf.get(file) ?? ''));
  assert.deepEqual(readers, [
    'apps/server/src/platform/config/config.ts',
    'packages/carrier-simulator/src/main.ts',
    'packages/client/src/cli/command.ts',
    'packages/fault-kit/src/random.ts',
    'packages/fault-kit/src/victim.ts',
    'packages/installation/src/cluster.ts',
  ]);
});

test('private fields of libraries are read in one folder, for the versions it names', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  for (const [library, version] of Object.entries(CHECKED_VERSIONS)) {
    const installed = packages[`node_modules/${library}`].version;
    assert.equal(installed, version, `read apps/server/src/platform/driver again for ${library} ${installed}`);
  }
  const reaching = /as unknown as \{[^}]*\b(connection|processID|options|_\w+)\b|\.connection\.(stream|on)\b/;
  assert.deepEqual(
    sources.filter((file) => /^apps\/server\//.test(file) && reaching.test(textOf.get(file) ?? '')),
    ['apps/server/src/platform/driver/internals.ts'],
  );
});

test('the scan finds imports in all their forms, and the rules refuse forbidden ones', () => {
  const text = `import a from 'a';\nimport {\n  b,\n} from "b";\nimport 'c';\nexport * from './d.ts';\n// import 'no';
    /* import 'no' */\nconst e = await import('e');\nimport type { F } from 'f';export { g } from 'g';`;
  assert.deepEqual(importsOf(text).sort(), ['./d.ts', 'a', 'b', 'c', 'e', 'f', 'g']);
  const forbidden: [string, string][] = [
    ['packages/contract/src/kernel/money.ts', 'fastify'],
    ['packages/contract/src/kernel/money.ts', '../../../smpp/src/index.ts'],
    ['packages/smpp/src/pdu.ts', 'pg'],
    ['packages/client/src/http.ts', 'node:http'],
    ['packages/client/src/http.ts', './cli/settings.ts'],
    ['packages/client/src/cli/send.ts', '@heliograph/contract/api/message'],
    ['packages/smpp/src/pdu.ts', '@heliograph/fault-kit'],
    ['apps/server/src/modules/delivery/lane.ts', '@heliograph/fault-kit'],
    ['apps/server/src/modules/api/messages.ts', '@heliograph/client'],
    ['packages/smpp/src/pdu.ts', 'node:fs'],
    ['apps/server/src/platform/http/http.ts', '#modules/billing'],
    ['apps/server/src/platform/http/http.ts', '@heliograph/contract/billing/price-plan'],
    ['apps/server/src/modules/delivery/lane.ts', '#modules/campaigns'],
    ['apps/server/src/modules/campaigns/run.ts', '../billing/ledger.ts'],
    ['apps/server/src/modules/billing/ledger.ts', '../../processes/api.ts'],
    ['apps/server/src/modules/billing/ledger.ts', '@heliograph/smpp'],
    ['apps/server/src/processes/api.ts', '@heliograph/carrier-simulator'],
    ['apps/console/src/ui/page.tsx', '../platform/call.ts'],
    ['apps/console/src/resource/list.tsx', '@heliograph/contract/billing/price-plan'],
    ['apps/console/src/modules/billing/list.tsx', '../campaigns/list.tsx'],
    ['apps/console/src/modules/billing/list.tsx', '../../app/shell.tsx'],
  ];
  for (const [from, specifier] of forbidden) {
    assert.ok(violationOf({ from, to: resolveImport(from, specifier) }), `${from} may not import ${specifier}`);
  }
});

test('no path of a file is made from the percent-encoded path of an address', () => {
  const files = globSync('{apps,packages,scripts,bench,e2e}/**/*.{ts,tsx,mjs}', { cwd: ROOT }).filter(
    (file) => !/(^|\/)(node_modules|dist)\//.test(file),
  );
  assert.ok(files.length > 1_000, `${files.length} files`);
  const guilty = files.filter((file) =>
    /new URL\([^;]*?import\.meta[^;]*?\)\s*\.pathname/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  assert.deepEqual(guilty, [], 'fileURLToPath makes one that also holds in a folder with spaces');
});

test('every path that the documents of the architecture name exists', () => {
  const pages = [
    'ARCHITECTURE.md',
    'AGENTS.md',
    'CONTRIBUTING.md',
    ...globSync('docs/architecture/*.md', { cwd: ROOT }),
  ];
  const texts = pages.map((page) => readFileSync(join(ROOT, page), 'utf8')).join('\n');
  const named = [...texts.matchAll(/`((?:modules|platform|packages|apps)\/[\w./-]+)`/g)].map(([, path]) => path!);
  assert.ok(named.length > 40, `${named.length} paths`);
  const exists = (path: string) =>
    ['', 'apps/server/src/'].some((above) => ['', '.ts'].some((end) => existsSync(join(ROOT, above + path + end))));
  assert.deepEqual(
    named.filter((path) => !exists(path)),
    [],
  );
});
