import { createHash } from 'node:crypto';
import { appendFileSync, createReadStream, existsSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '../errors.ts';
import type { Heliograph } from '../heliograph.ts';
import type { SendBatchReply, SendBatchRequest } from '../types.ts';
import { COMMON, type Command, note, print, read, UsageError } from './command.ts';
import type { Choices, FileRow } from './file.ts';
import { Journal } from './journal.ts';
import { SENDING, sendingOf } from './send.ts';

type Recipient = SendBatchRequest['recipients'][number];
type Refused = SendBatchReply['rejected'][number];

const MOST = 10_000;
const PARAMS = ['name', ...Array.from({ length: 9 }, (_, place) => `param${place + 1}`)];

const options = {
  ...SENDING,
  text: { value: 'TEXT', help: 'Text for rows without one; {name} and {param1} to {param9} are replaced' },
  size: { value: 'ROWS', help: 'Rows per batch, at most 10000 (default 1000)' },
  column: { value: 'NAME', help: 'Column with the numbers (default: detected)' },
  sheet: { value: 'NAME', help: 'Sheet of a workbook (default: the visible one)' },
  encoding: { value: 'NAME', help: 'utf-8, gbk, windows-1252 … (default: detected)' },
  separator: { value: 'NAME', help: 'comma, semicolon, tab or pipe (default: detected)' },
  'header-row': { value: 'ROW', help: 'Row with the column names (default: detected)' },
  skip: { value: 'BATCH', help: 'Skip a batch whose answer is unknown' },
  again: { help: 'Send a batch again whose answer is unknown' },
  ...COMMON,
};

/** One batch of rows, and the rows among them that the sheet hides. */
interface Batch {
  number: number;
  rows: FileRow[];
  hidden: FileRow[];
}

async function* batchesOf(path: string, size: number, choices: Choices): AsyncGenerator<Batch> {
  // Loaded here because it is the larger part of the program, and only files need it.
  const { readRecipients } = await import('./file.ts');
  let [rows, hidden]: [FileRow[], FileRow[]] = [[], []];
  let number = 1;
  for await (const row of readRecipients(path, choices, note)) {
    (row.hidden ? hidden : rows).push(row);
    if (rows.length + hidden.length < size) continue;
    yield { number: number++, rows, hidden };
    [rows, hidden] = [[], []];
  }
  if (rows.length + hidden.length > 0) yield { number, rows, hidden };
}

function recipientOf({ values }: FileRow): Recipient {
  const params = PARAMS.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]]));
  return {
    to: values['to']!,
    ...(values['text'] && { text: values['text'] }),
    ...(values['client_ref'] && { client_ref: values['client_ref'] }),
    ...(params.length > 0 && !values['text'] && { params: Object.fromEntries(params) }),
  };
}

/** Returns the name of this import; the same file with the same options always has the same name. */
async function nameOf(path: string, sending: unknown): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(sending));
  await pipeline(createReadStream(path), hash);
  return `import-${hash.digest('base64url').slice(0, 32)}`;
}

/** Start of a cell that a spreadsheet runs as a formula; after an apostrophe the cell stays text. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
const cell = (text: string) => {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const HIDDEN = 'The sheet hides this row. Show it, or leave it out.';

/** Appends refused rows in the order of the file: line, field, value as in the file, reason and code. */
function writeRefused(path: string, refused: readonly Refused[], { rows, hidden }: Batch): void {
  const told = refused.map(({ index, to, field, code, detail }) => {
    const row = rows[index]!;
    const name = field?.replace(/^recipients\.\d+\./, '').replace(/^params\./, '') ?? 'to';
    return { line: row.line, name, value: row.values[name] ?? (name === 'to' ? to : ''), code, detail };
  });
  for (const { line, values } of hidden)
    told.push({ line, name: 'to', value: values['to'] ?? '', code: 'hidden_row', detail: HIDDEN });
  if (told.length === 0) return;
  if (!existsSync(path)) appendFileSync(path, '\ufeffline,field,value,reason,code\n');
  const lines = told
    .sort((a, b) => a.line - b.line)
    .map(({ line, name, value, code, detail }) => [String(line), name, value, detail, code].map(cell).join(','));
  appendFileSync(path, `${lines.join('\n')}\n`);
}

/** Returns the refusal of each row from an answer that accepts nothing. */
function refusalsOf({ errors, message, code = '' }: ApiError, recipients: readonly Recipient[]): Refused[] {
  return recipients.map(({ to }, index) => {
    const [field, sentences] = Object.entries(errors).find(([name]) => name.startsWith(`recipients.${index}.`)) ?? [];
    return {
      index,
      to,
      code: field === undefined ? code : 'validation_failed',
      field: field ?? null,
      detail: sentences?.join(' ') ?? message,
    };
  });
}

/** Result of a batch without an accepted row. */
const NOTHING: Pick<SendBatchReply, 'accepted' | 'parts' | 'price' | 'rejected'> & { id: null } = {
  id: null,
  accepted: 0,
  parts: 0,
  price: '0.000',
  rejected: [],
};

async function sendOne(client: Heliograph, request: SendBatchRequest, idempotencyKey: string, signal: AbortSignal) {
  try {
    return await client.sendBatch(request, { idempotencyKey, signal });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'nothing_accepted') throw error;
    return { ...NOTHING, rejected: refusalsOf(error, request.recipients) };
  }
}

/** Returns an error of a batch with the line numbers of the file. */
function withLine(error: unknown, rows: readonly FileRow[]): unknown {
  if (!(error instanceof ApiError)) return error;
  const errors = Object.entries(error.errors).map(([field, sentences]) => {
    const [, index, rest] = /^recipients\.(\d+)\.?(.*)$/.exec(field) ?? [];
    return [index === undefined ? field : `line ${rows[Number(index)]?.line} ${rest}`, sentences];
  });
  return new ApiError(error.status, { ...error.problem, errors: Object.fromEntries(errors) }, error.retryAfterMs);
}

/** Adds decimal strings without floats. */
function sum(amounts: readonly string[]): string {
  const total = amounts.reduce((all, amount) => all + BigInt(amount.replace('.', '')), 0n);
  const digits = String(total).padStart(4, '0');
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

export const importRecipients: Command = {
  summary: 'Send to the recipients of a CSV or XLSX file',
  usage: 'FILE --from SENDER [--text TEXT] [options]',
  options,
  notes: `The first line names the columns: to, and optionally text, name, param1 to param9, client_ref.
Names such as "Mobile No." also work, and files without column names. Other columns are not used.
Files are read as the console reads them: CSV in any usual encoding and separator, and XLSX.
The position is stored in FILE.progress: run the same command again to continue. No batch is sent twice.
Refused rows are written to FILE.refused.csv: line, field, value, reason, code.`,
  async run(args, signal) {
    const call = read(args, options);
    const [path, more] = call.positionals;
    if (path === undefined || more !== undefined) throw new UsageError('Name one file.');
    const size = Number(call.text('size') ?? 1_000);
    if (!Number.isInteger(size) || size < 1 || size > MOST) throw new UsageError(`--size must be 1 to ${MOST}.`);
    const sending = { ...sendingOf(call), text: call.text('text') };
    const client = call.client();
    statSync(path);
    const choices = {
      column: call.text('column'),
      sheet: call.text('sheet'),
      encoding: call.text('encoding'),
      separator: call.text('separator'),
      header_row: call.text('header-row'),
    };
    const chosen = Object.values(choices).some((choice) => choice !== undefined) ? { choices } : {};
    const name = await nameOf(path, { ...sending, size, ...chosen });
    const journal = new Journal(`${path}.progress`, name);
    const skipped = Number(call.text('skip') ?? 0);

    const total = { rows: 0, accepted: 0, rejected: 0, parts: 0, resumed: 0 };
    const prices: string[] = [];
    for await (const batch of batchesOf(path, size, choices)) {
      const { number, rows, hidden } = batch;
      let done = journal.done(number);
      if (done) total.resumed++;
      else if (number === skipped)
        journal.end({ batch: number, state: 'done', id: null, accepted: 0, rejected: 0, parts: 0, price: '0.000' });
      else {
        journal.begin(number, call.has('again'));
        const request = { ...sending, recipients: rows.map(recipientOf) };
        const sent = rows.length === 0 ? NOTHING : sendOne(client, request, `${name}-${number}`, signal);
        const answer = await Promise.resolve(sent).catch((error: unknown) => {
          // The whole batch was refused: it was certainly not sent, and can be tried again at any time.
          if (error instanceof ApiError && error.status < 500) journal.end({ batch: number, state: 'not sent' });
          throw withLine(error, rows);
        });
        const { id, accepted, parts, price, rejected } = answer;
        writeRefused(`${path}.refused.csv`, rejected, batch);
        const refused = rejected.length + hidden.length;
        done = { batch: number, state: 'done', id, accepted, rejected: refused, parts, price };
        journal.end(done);
      }
      total.rows += rows.length + hidden.length;
      if (!done) continue;
      total.accepted += done.accepted;
      total.rejected += done.rejected;
      total.parts += done.parts;
      prices.push(done.price);
      const percent = Math.floor(((rows.at(-1) ?? hidden.at(-1))?.read ?? 1) * 100);
      note(`${percent} %: ${total.rows} rows, ${total.accepted} accepted, ${total.rejected} refused`);
    }
    const price = sum(prices);
    if (call.has('json')) print(JSON.stringify({ ...total, price }));
    else print(`${total.accepted} of ${total.rows} accepted: ${total.parts} part(s), ${price}`);
    if (total.rejected > 0) note(`${total.rejected} recipients were rejected; ${path}.refused.csv lists the reasons.`);
  },
};
