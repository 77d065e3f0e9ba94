import { z } from 'zod';

// Schemas compile themselves with eval unless told otherwise, which the content security policy forbids; they decide
// when they are made, so the rest of the application is loaded after this line.
z.config({ jitless: true });

const { start } = await import('./app/start.tsx');
await start(document.getElementById('root')!);
