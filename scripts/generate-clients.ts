import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { goClient } from './clients/go.ts';
import { n8nEvents, n8nOperations } from './clients/n8n.ts';
import { pythonClient } from './clients/python.ts';

// `npm run clients`: writes the parts of the clients of other languages that follow from the contract, and their version,
// which is that of the product.

const root = resolve(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { version: string };

const withVersion = (path: string) =>
  readFileSync(resolve(root, path), 'utf8').replace(/"version": "[^"]*"/, `"version": "${version}"`);

/** Files of the clients that are made, by their paths below the root. */
export const clientFiles = (): Record<string, string> => ({
  'clients/go/api.go': goClient(),
  'clients/go/version.go': `// Made by scripts/generate-clients.ts.\n\npackage heliograph\n\n// Version is that of the platform that this client was made for.\nconst Version = "${version}"\n`,
  'clients/n8n/nodes/Heliograph/operations.ts': n8nOperations(),
  'clients/n8n/nodes/HeliographTrigger/events.ts': n8nEvents(),
  'clients/n8n/package.json': withVersion('clients/n8n/package.json'),
  'clients/python/heliograph/api.py': pythonClient(),
  'clients/python/heliograph/version.py': `# Made by scripts/generate-clients.ts.\nVERSION = "${version}"\n`,
});

if (import.meta.main)
  for (const [path, text] of Object.entries(clientFiles())) writeFileSync(resolve(root, path), text);
