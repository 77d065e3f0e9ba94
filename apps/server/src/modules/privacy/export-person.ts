import { FILE_FORMATS } from '@heliograph/contract/kernel/file-format';
import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import type { PersonKind } from '@heliograph/contract/privacy/person-request';
import { z } from 'zod';
import { rowsOf } from '#platform/database/queryable';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { createTable, type TableFile } from '#platform/table/table-file';
import { downloadJob, writeDownload } from '#platform/tasks/downloads';
import { type LoadCaller, stillAllowed } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { shownTexts } from '#platform/text/shown-texts';
import { parametersOf } from './find-person.ts';
import { type Person, readPerson } from './person.ts';
import { personFiles } from './person-files.ts';
import { PLACES, TYPED } from './places.ts';

/** Job that writes everything that is kept of a person to a file. */
export const exportPersonJob = downloadJob('export-person');

/** Kind of the downloads. */
export const PERSON_FILE = 'privacy';

export const personFileParameters = z.object({
  person_request_id: z.int(),
  format: z.enum(FILE_FORMATS),
  locale: z.enum(LOCALES),
});

/** Rows that are read together. */
const PAGE = 1_000;
/** Fields that are no data of the person: secrets, hashes, and the inner order of searches. */
const INNER = /sealed$|digest$|hash$|^pdu$|^body$|_path$/;

type Worker = Pick<WorkerContext, 'database' | 'config' | 'log' | 'clock'>;
type Write = (kind: PersonKind, table: string, rows: readonly { data: Record<string, unknown> }[]) => Promise<void>;

/** Writes the file of a download: a row for each record, with its fields as JSON. */
export const writePersonFile = (
  worker: Worker,
  loadCaller: LoadCaller,
  downloadId: number,
  signal: AbortSignal,
): Promise<void> =>
  writeDownload(worker, downloadId, signal, {
    kinds: [PERSON_FILE],
    extension: (row) => personFileParameters.parse(row.parameters).format,
    async write(row, path, tell) {
      const { person_request_id, format, locale } = personFileParameters.parse(row.parameters);
      const { numbers_visible } = await stillAllowed(loadCaller, row, 'privacy-download');
      if (!numbers_visible) throw new Error('the person may no longer see numbers');
      const person = await readPerson(worker.database, worker.config, person_request_id);
      const file = await createTable(format, path, { sheet: translate(locale, 'menu.privacy') });
      let written = 0;
      try {
        await file.write([HEADING.map((field) => translate(locale, `person.column.${field}`))]);
        await writeRecords(worker, person, locale, signal, async (kind, table, rows) => {
          await file.write(rows.map(({ data }) => cellsOf(translate(locale, `person.kind.${kind}`), table, data)));
          written += rows.length;
          await tell(written);
        });
        await file.end();
        return written;
      } catch (error) {
        await file.abandon();
        throw error;
      }
    },
  });

const HEADING = ['kind', 'record', 'time', 'data'] as const;

/** Returns the cells of a record: its kind, where it is kept, when it began, and its fields as JSON. */
function cellsOf(
  kind: string,
  table: string,
  data: Record<string, unknown>,
): Parameters<TableFile['write']>[0][number] {
  const shown = Object.fromEntries(
    Object.entries(data).filter(([field, value]) => value !== null && !INNER.test(field)),
  );
  const time = data['received_at'] ?? data['created_at'] ?? null;
  return [kind, `${table} ${data['id'] ?? ''}`.trim(), time === null ? null : String(time), JSON.stringify(shown)];
}

async function writeRecords(
  worker: Worker,
  person: Person | undefined,
  locale: Locale,
  signal: AbortSignal,
  write: Write,
) {
  if (!person) return;
  for (const { kind, table, where, shown } of PLACES) {
    if (kind === 'waiting') continue;
    // One statement reads a place; its rows are few for one person.
    const found = await rowsOf<{ data: Record<string, unknown> }>(
      worker.database,
      `SELECT ${shown ?? 'to_jsonb(t)'} AS data FROM ${table} t
       WHERE ${where} AND ${TYPED}`,
      parametersOf(person),
    );
    const rows = await shownTexts({ db: worker.database, config: worker.config, locale }, found);
    for (let at = 0; at < rows.length; at += PAGE) {
      signal.throwIfAborted();
      await write(kind, table, rows.slice(at, at + PAGE));
    }
  }
  for await (const { path, table, column, rows } of personFiles(worker, person, signal))
    await write('files', table, [{ data: { id: path, column, rows } }]);
}
