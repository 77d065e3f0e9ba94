import { z } from 'zod';

// Schemas compile themselves with eval by default, but the content security policy forbids that. Each schema reads
// this setting when it is created, so the rest of the application is loaded after this line.
z.config({ jitless: true });

const { start } = await import('./app/start.tsx');
await start(document.getElementById('root')!);
