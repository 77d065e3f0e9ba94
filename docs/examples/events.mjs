import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Heliograph } from '@heliograph/client';

const heliograph = new Heliograph({ url: process.env.HELIOGRAPH_URL, key: process.env.HELIOGRAPH_API_KEY });

const cursor = existsSync('cursor') ? readFileSync('cursor', 'utf8') : undefined;
for await (const { data, next_cursor } of heliograph.events({ cursor, limit: 1000 }).pages()) {
  for (const { id, type, data: about } of data) console.log(id, type, about);
  writeFileSync('cursor', next_cursor);
}
