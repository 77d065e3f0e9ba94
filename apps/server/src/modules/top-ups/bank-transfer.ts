import { Readable } from 'node:stream';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import {
  approveTopUp,
  getTransferProof,
  PROOF_BYTES,
  PROOF_TYPES,
  type ProofType,
  rejectTopUp,
  sendTransferProof,
} from '@heliograph/contract/top-ups/bank-transfer';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError, fieldError, tooLarge } from '#platform/errors';
import { readFile, removeFile, type StoredFile, storeFile } from '#platform/files/files';
import { imageHead } from '#platform/files/image';
import { readSmall } from '#platform/files/stored-image';
import { type App, type Handler, mount, mountUpload } from '#platform/http/http';
import { mountFile } from '#platform/http/mount-file';
import { credit, lockTopUp, type TopUp, tellChange } from './settle.ts';
import { addNews } from './tell-top-ups.ts';
import { sellsTo, wholeTopUp } from './top-up-rows.ts';

/** Returns the kind of a file by its first bytes; throws a 422 unless it is one of the kinds and its name fits. */
function typeOf(name: string, data: Buffer): ProofType {
  const image = imageHead(data)?.type;
  const type = data.toString('latin1', 0, 5) === '%PDF-' ? 'application/pdf' : image;
  const known = (Object.keys(PROOF_TYPES) as ProofType[]).find((each) => each === type);
  if (!known) throw fieldError('file', 'document_kind');
  if (!PROOF_TYPES[known].some((end) => name.toLowerCase().endsWith(end)))
    throw fieldError('file', 'document_name', { ends: PROOF_TYPES[known].join(', ') });
  return known;
}

/** Returns a file's name without its folders, and without characters that hide or turn its letters. */
const shownName = (name: string): string =>
  name
    .replace(/^.*[\\/]/s, '')
    .replace(/\p{C}/gu, '')
    .trim()
    .slice(-200) || '-';

/** Loads a bank transfer in one of these states, locked. Throws `not_found` and `invalid_transition`. */
async function lockTransfer(ctx: Context, id: number, states: readonly string[]): Promise<TopUp> {
  const topUp = await lockTopUp(ctx.db, id);
  if (!topUp) throw new BusinessError('not_found');
  if (topUp.driver !== 'bank_transfer' || !states.includes(topUp.state)) throw new BusinessError('invalid_transition');
  return topUp;
}

async function log(ctx: Context, topUp: TopUp, description: string, after: object): Promise<void> {
  await audit(ctx, {
    name: 'top-ups',
    description,
    subject_type: 'top-ups',
    subject_id: topUp.id,
    corporation_id: topUp.corporation_id,
    after: { reference: topUp.reference, amount: fromThousandths(topUp.amount), ...after },
  });
}

type Proof = Pick<StoredFile, 'path' | 'size' | 'sha256'> & { name: string; type: ProofType };

/** Stores the proof of a transfer; a later one takes the place of the first until somebody has approved. */
async function keepProof(ctx: Context, id: number, { path, size, sha256, name, type }: Proof) {
  const topUp = await lockTransfer(ctx, id, ['awaiting_payment', 'in_review']);
  await ctx.db
    .updateTable('top_up')
    .set({
      state: 'in_review',
      proof_path: path,
      proof_name: name,
      proof_type: type,
      proof_size: size,
      proof_at: ctx.clock.now().toISOString(),
      approved_by: null,
    })
    .where('id', '=', id)
    .execute();
  await log(ctx, topUp, 'proof sent', { file: name, size, sha256 });
  await tellChange(ctx.db, topUp);
  await addNews(ctx.db, topUp, 'review', topUp.amount);
  const before = topUp.proof_path;
  if (before !== null) ctx.afterCommit(() => void removeFile(ctx.config, before).catch(() => undefined));
  return { data: await wholeTopUp(ctx, id) };
}

/** Approves a transfer: the account gets the credit. Above a limit of the payment method, two people approve. */
const approve: Handler<typeof approveTopUp> = async (ctx, { params }) => {
  const topUp = await lockTransfer(ctx, params.id, ['in_review']);
  if (!sellsTo(ctx.caller, topUp.corporation_id)) throw new BusinessError('forbidden');
  const { rows } = await sql<{ above: number | null }>`
    SELECT four_eyes_above AS above FROM merchant_account WHERE id = ${topUp.merchant_account_id}`.execute(ctx.db);
  const above = rows[0]?.above ?? null;
  const me = ctx.caller.user_id;
  if (above !== null && topUp.amount > above) {
    if (topUp.approved_by === me) throw new BusinessError('top_up_four_eyes');
    if (topUp.approved_by === null) {
      await ctx.db.updateTable('top_up').set({ approved_by: me }).where('id', '=', topUp.id).execute();
      await log(ctx, topUp, 'approved first', {});
      await tellChange(ctx.db, topUp);
      return { data: await wholeTopUp(ctx, topUp.id) };
    }
  }
  const decided = { decided_by: me, decided_at: ctx.clock.now().toISOString() };
  await credit(ctx.db, topUp, decided, ctx.clock.now());
  await log(ctx, topUp, 'approved', {});
  return { data: await wholeTopUp(ctx, topUp.id) };
};

/** Rejects a transfer, with the reason that the customer reads. */
const reject: Handler<typeof rejectTopUp> = async (ctx, { params, body }) => {
  const topUp = await lockTransfer(ctx, params.id, ['awaiting_payment', 'in_review']);
  if (!sellsTo(ctx.caller, topUp.corporation_id)) throw new BusinessError('forbidden');
  await ctx.db
    .updateTable('top_up')
    .set({
      state: 'rejected',
      decided_by: ctx.caller.user_id,
      decided_at: ctx.clock.now().toISOString(),
      decision_note: body.reason,
    })
    .where('id', '=', topUp.id)
    .execute();
  await log(ctx, topUp, 'rejected', { reason: body.reason });
  await tellChange(ctx.db, topUp);
  await addNews(ctx.db, topUp, 'failed', topUp.amount);
  return { data: await wholeTopUp(ctx, topUp.id) };
};

/** Mounts proofs of bank transfers, and the decisions about them. */
export function mountBankTransfers(app: App): void {
  mountUpload(app, sendTransferProof, async (base, { params, file }, run) => {
    // The file is read before any answer, or a browser would not receive the answer.
    const data = await readSmall(file, PROOF_BYTES + 1);
    await run((ctx) => wholeTopUp(ctx, params.id));
    if (!data) throw tooLarge(PROOF_BYTES);
    const name = shownName(file.file_name);
    const type = typeOf(name, data);
    const stored = await storeFile(base.config, Readable.from([data]), PROOF_BYTES, async () => undefined);
    try {
      return await run((ctx) => keepProof(ctx, params.id, { ...stored, name, type }));
    } catch (error) {
      await removeFile(base.config, stored.path);
      throw error;
    }
  });
  mountFile(app, getTransferProof, 'none', async (ctx, { params }) => {
    const found = await ctx.db
      .selectFrom('top_up')
      .select(['proof_path', 'proof_name', 'proof_type'])
      .where('id', '=', params.id)
      .executeTakeFirst();
    const path = found?.proof_path ?? null;
    if (path === null) throw new BusinessError('not_found');
    return { stream: () => readFile(ctx.config, path), name: found!.proof_name!, type: found!.proof_type! };
  });
  mount(app, approveTopUp, approve);
  mount(app, rejectTopUp, reject);
}
