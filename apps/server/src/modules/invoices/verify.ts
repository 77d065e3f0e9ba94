import { createHash } from 'node:crypto';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { contentDigest } from './content.ts';

interface Entry {
  id: number;
  subject_id: number;
  description: string;
  digest: string;
}

const ENTRIES = `
SELECT id, subject_id, description, coalesce(properties -> 'after' ->> 'content_sha256', properties -> 'after' ->> 'sha256') AS digest
FROM activity_log WHERE name = 'invoices' AND description IN ('issued', 'stored-pdf', 'stored-xml') AND id > $1 ORDER BY id LIMIT 500`;

async function presentDigest(db: Queryable, { subject_id, description }: Entry): Promise<string | null> {
  if (description === 'issued') return contentDigest(db, subject_id).catch(() => null);
  const [file] = await rowsOf<{ content: Buffer }>(
    db,
    'SELECT content FROM invoice_document WHERE invoice_id = $1 AND kind = $2',
    [subject_id, description.slice('stored-'.length)],
  );
  return file ? createHash('sha256').update(file.content).digest('hex') : null;
}

/**
 * Compares each issued document and its files with the digests that the activity log holds. Returns how many agree, and
 * the ids of documents that were altered or removed.
 */
export async function verifyInvoices(db: Queryable): Promise<{ checked: number; altered: number[] }> {
  const altered = new Set<number>();
  let checked = 0;
  for (let last = 0; ; ) {
    const entries = await rowsOf<Entry>(db, ENTRIES, [last]);
    for (const entry of entries) {
      if ((await presentDigest(db, entry)) === entry.digest) checked++;
      else altered.add(entry.subject_id);
      last = entry.id;
    }
    if (entries.length === 0) return { checked, altered: [...altered] };
  }
}
