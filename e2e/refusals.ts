import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@heliograph/fault-kit';
import { type Answer, type Client, fileForm, readUntil } from './api-client.ts';
import type { House } from './house.ts';

/** Checks an error and its language: sentences in Chinese have Chinese characters, those in English have none. */
export function checkProblem(answer: Answer, locale: 'en' | 'zh', status: number, code: string, field?: string): void {
  const about = `${locale}: ${answer.text}`;
  assert.equal(answer.status, status, about);
  assert.match(answer.type, /^application\/problem\+json/, about);
  assert.equal(answer.body.code, code, about);
  const sentences = [answer.body.message, ...Object.values(answer.body.errors ?? {}).flat()];
  for (const sentence of sentences) {
    assert.ok(sentence.length > 3, about);
    assert.equal(/\p{Script=Han}/u.test(sentence), locale === 'zh', about);
    assert.doesNotMatch(sentence, /\b[a-z]+(_[a-z]+)*\.[a-z_]+\b|\{\{/, about);
  }
  if (field) assert.ok(answer.body.errors?.[field]?.length, `names ${field}: ${about}`);
}

/** Makes the checks of refused calls in a house: a sentence in the person's language, and no records left behind. */
export function refusals(house: Pick<House, 'database' | 'dataDir'>) {
  /** Counts the rows and files that a refused call could have left behind. */
  async function traces() {
    const tables = ['campaign', 'campaign_counter', 'chunk', 'message', 'ledger_transfer', 'ledger_entry', 'quote'];
    const more = ['upload', 'import', 'number_list', 'number_list_number', 'sender_id', 'department', 'download'];
    const counts = [...tables, ...more].map((name) => `(SELECT count(*)::int FROM ${name}) AS ${name}`).join(', ');
    const { rows } = await house.database.query(
      `SELECT ${counts}, (SELECT sum(reserved)::bigint FROM billing_account) AS reserved,
       (SELECT sum(credit_balance)::bigint FROM billing_account) AS balance`,
    );
    const files = join(house.dataDir, 'files');
    return { ...rows[0], files: existsSync(files) ? globSync('*/*', { cwd: files }).length : 0 };
  }

  /** Sends an invalid call in English and in Chinese: it is refused with its sentence and leaves nothing behind. */
  async function refused(
    call: (locale: 'en' | 'zh') => Promise<Answer>,
    status: number,
    code: string,
    field?: string,
  ): Promise<void> {
    const before = await traces();
    for (const locale of ['en', 'zh'] as const) checkProblem(await call(locale), locale, status, code, field);
    assert.deepEqual(await traces(), before, 'nothing is left behind');
  }

  return { traces, refused };
}

/** Makes a function that imports a file into a list, and waits until the import has ended and its file is deleted. */
export function importer(house: Pick<House, 'dataDir'>, client: Client, listId: number) {
  const uploads = () => globSync('files/uploads/*', { cwd: house.dataDir }).length;
  return async (text: string) => {
    const path = `/api/v1/number-lists/${listId}/imports`;
    const before = uploads();
    const made = await client('POST', path, { body: fileForm('list.csv', text) });
    assert.equal(made.status, 202, made.text);
    const ended = await readUntil(
      () => client('GET', `/api/v1/imports/${made.body.data.id}`),
      ({ finished_at }) => finished_at !== null,
    );
    await until('its file is deleted', () => uploads() === before);
    return ended;
  };
}
