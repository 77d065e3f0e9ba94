import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { goClient } from './clients/go.ts';
import { pythonClient } from './clients/python.ts';

// `npm run clients`: writes the parts of the clients of other languages that follow from the contract, and their version,
// which is that of the product.

const root = resolve(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { version: string };

/** Files of the clients that are made, by their paths below the root. */
export const clientFiles = (): Record<string, string> => ({
  'clients/go/api.go': goClient(),
  'clients/go/version.go': `// Made by scripts/generate-clients.ts.\n\npackage heliograph\n\n// Version is that of the platform that this client was made for.\nconst Version = "${version}"\n`,
  'clients/python/heliograph/api.py': pythonClient(),
  'clients/python/heliograph/version.py': `# Made by scripts/generate-clients.ts.\nVERSION = "${version}"\n`,
});

if (import.meta.main)
  for (const [path, text] of Object.entries(clientFiles())) writeFileSync(resolve(root, path), text);
