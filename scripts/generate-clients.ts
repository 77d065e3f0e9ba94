import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { csharpCalls, csharpTypes, csharpVersion } from './clients/csharp.ts';
import { goClient } from './clients/go.ts';
import { javaCalls, javaTypes, javaVersion } from './clients/java.ts';
import { n8nEvents, n8nOperations } from './clients/n8n.ts';
import { phpCalls, phpTypes, phpVersion } from './clients/php.ts';
import { pythonClient } from './clients/python.ts';

// `npm run clients`: writes the parts of the clients of other languages that follow from the contract, and their version,
// which is that of the product.

const root = resolve(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { version: string };

/** Returns a file that is written by hand, with the version of the product. */
const versioned = (path: string, place: RegExp) =>
  readFileSync(resolve(root, path), 'utf8').replace(place, (_, before: string) => before + version);

/** Files of the clients that are made, by their paths below the root. */
export const clientFiles = (): Record<string, string> => ({
  'clients/csharp/Api.cs': csharpTypes(),
  'clients/csharp/Calls.cs': csharpCalls(),
  'clients/csharp/Heliograph.csproj': versioned('clients/csharp/Heliograph.csproj', /(<Version>)[^<]*/),
  'clients/csharp/Version.cs': csharpVersion(version),
  'clients/go/api.go': goClient(),
  'clients/go/version.go': `// Made by scripts/generate-clients.ts.\n\npackage heliograph\n\n// Version is that of the platform that this client was made for.\nconst Version = "${version}"\n`,
  'clients/java/pom.xml': versioned('clients/java/pom.xml', /(<artifactId>heliograph<\/artifactId>\s*<version>)[^<]*/),
  'clients/java/src/main/java/heliograph/Api.java': javaTypes(),
  'clients/java/src/main/java/heliograph/Calls.java': javaCalls(),
  'clients/java/src/main/java/heliograph/Version.java': javaVersion(version),
  'clients/php/src/Calls.php': phpCalls(),
  'clients/php/src/Version.php': phpVersion(version),
  'clients/php/src/types.php': phpTypes(),
  'clients/n8n/nodes/Heliograph/operations.ts': n8nOperations(),
  'clients/n8n/nodes/HeliographTrigger/events.ts': n8nEvents(),
  'clients/n8n/package.json': versioned('clients/n8n/package.json', /("version": ")[^"]*/),
  'clients/python/heliograph/api.py': pythonClient(),
  'clients/python/heliograph/version.py': `# Made by scripts/generate-clients.ts.\nVERSION = "${version}"\n`,
});

if (import.meta.main)
  for (const [path, text] of Object.entries(clientFiles())) writeFileSync(resolve(root, path), text);
