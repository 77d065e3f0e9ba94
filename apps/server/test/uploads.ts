import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { bulkUpload } from '@heliograph/contract/kernel/bulk-upload';
import { parse } from 'csv-parse/sync';
import type { z } from 'zod';
import type { Answer, Client } from './test-api.ts';

type Upload = z.output<typeof bulkUpload>;

/** Builds the form of an upload. */
export const formOf = (content: string | Buffer, name = 'records.csv'): FormData => {
  const form = new FormData();
  form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
  return form;
};

/** Sends a file of records. */
export const sendFile = (client: Client, address: string, text: string | Buffer): Promise<Answer> =>
  client('POST', `/api/v1/${address}`, formOf(text));

/** Sends a file of records and waits for its end; returns the counts and the refused rows. */
export async function uploadFile(
  client: Client,
  address: string,
  text: string | Buffer,
): Promise<{ upload: Upload; refused: string[][] }> {
  const sent = await sendFile(client, address, text);
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  let upload = (sent.body as { data: Upload }).data;
  const deadline = Date.now() + 60_000;
  while (upload.finished_at === null) {
    assert.ok(Date.now() < deadline, `still ${upload.state}`);
    await sleep(100);
    upload = ((await client('GET', `/api/v1/bulk-uploads/${upload.id}`)).body as { data: Upload }).data;
  }
  const report = upload.error_file ? String((await client('GET', upload.error_file)).body) : '';
  return { upload, refused: parse(report, { bom: true, from_line: 2 }) };
}
