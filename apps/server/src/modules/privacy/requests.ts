import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import * as contract from '@heliograph/contract/privacy/person-request';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { mountFile } from '#platform/http/mount-file';
import { enqueue } from '#platform/jobs/jobs';
import { readNumberRules } from '#platform/operator/number-rules';
import { numberDigest } from '#platform/person/number-digest';
import { seal, secretKey } from '#platform/process/seal';
import { askForDownload } from '#platform/tasks/downloads';
import { certificate } from './certificate.ts';
import { erasePersonJob } from './erase-person.ts';
import { exportPersonJob, PERSON_FILE } from './export-person.ts';
import { findPersonJob } from './find-person.ts';
import { numberContext, readPattern } from './person.ts';
import { findRequest, onWire, requestsOf } from './request-rows.ts';

/** Throws unless the caller sees everything of a corporation: requests search all of its departments. */
export function requireWholeCorporation({ caller }: Pick<Context, 'caller'>): void {
  if (caller.scope_level > 2) throw new BusinessError('forbidden');
}

/** Returns the id in a cursor; null without one. Throws `malformed_request`. */
function placeOf(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  if (!/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  return Number(cursor);
}

/** Mounts the searches for people, and the export and erasure of what was found. */
export function requestRoutes(app: App): void {
  mount(app, contract.personRequests, async (ctx, { query }) => {
    const before = placeOf(query.cursor);
    const rows = await requestsOf(ctx)
      .$if(query.corporation_id !== undefined, (q) => q.where('corporation_id', '=', query.corporation_id!))
      .$if(query.state !== undefined, (q) => q.where('state', '=', query.state!))
      .$if(before !== null, (q) => q.where('id', '<', before!))
      .orderBy('id', 'desc')
      .limit(query.limit + 1)
      .execute();
    const data = rows.slice(0, query.limit).map((row) => onWire(ctx, row));
    const has_more = rows.length > data.length;
    return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
  });
  mount(app, contract.getPersonRequest, async (ctx, { params }) => ({
    data: onWire(ctx, await findRequest(ctx, params.id)),
  }));
  mount(app, contract.findPerson, async (ctx, { body }) => {
    requireWholeCorporation(ctx);
    const own = isAdministration(ctx.caller.scope_level) ? null : ctx.caller.corporation_id;
    const corporation_id = body.corporation_id ?? own;
    if (corporation_id !== null) await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    const { msisdn, fault } = checkNumber(body.number, await readNumberRules(ctx.db));
    if (fault) throw fieldError('number', fault);
    const { id } = await ctx.db
      .insertInto('person_request')
      .values({
        corporation_id,
        user_id: ctx.caller.user_id,
        digest: numberDigest(msisdn),
        created_at: ctx.clock.now().toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await ctx.db
      .updateTable('person_request')
      .set({ number_sealed: seal(secretKey(ctx.config), msisdn, numberContext(id)) })
      .where('id', '=', id)
      .execute();
    // The log names the request. Its hash of the number is the only trace that stays.
    await audit(ctx, {
      name: 'privacy',
      description: 'searched',
      subject_type: 'privacy',
      subject_id: id,
      corporation_id,
    });
    await enqueue(ctx.db, findPersonJob, { person_request_id: id }, { tenant: corporation_id });
    return { data: onWire(ctx, await findRequest(ctx, id)) };
  });
  mount(app, contract.exportPerson, async (ctx, { params, body }) => {
    const row = await findRequest(ctx, params.id);
    requireWholeCorporation(ctx);
    // The file is about one number, which its records repeat everywhere.
    if (!ctx.caller.numbers_visible) throw new BusinessError('numbers_hidden');
    if (row.state !== 'found') throw new BusinessError('invalid_transition');
    await audit(ctx, {
      name: 'privacy',
      description: 'exported',
      subject_type: 'privacy',
      subject_id: row.id,
      corporation_id: row.corporation_id,
    });
    return askForDownload(ctx, exportPersonJob, {
      kind: PERSON_FILE,
      download_file: `privacy-${row.id}.${body.format}`,
      corporation_id: row.corporation_id,
      parameters: { person_request_id: row.id!, format: body.format, locale: ctx.locale } as never,
    });
  });
  mount(app, contract.erasePerson, async (ctx, { params, body }) => {
    const row = await findRequest(ctx, params.id);
    requireWholeCorporation(ctx);
    const { number } = onWire(ctx, row);
    if (row.state !== 'found' || number === null) throw new BusinessError('invalid_transition');
    const waiting = await ctx.db
      .selectFrom('message_row')
      .select('id')
      .where('number', '=', number)
      .where('state', 'in', ['pending', 'submitted'])
      .$if(row.corporation_id !== null, (q) => q.where('corporation_id', 'in', covered(row.corporation_id!)))
      .limit(1)
      .executeTakeFirst();
    if (waiting) throw fieldError('number', 'person_has_messages');
    // The reason is kept and logged: the number must not stay in it.
    const reason = body.reason.replace(new RegExp(await readPattern(ctx.db, number), 'g'), '[removed]');
    await ctx.db
      .updateTable('person_request')
      .set({
        state: 'erasing',
        reason,
        erased_by: ctx.caller.user_id,
        asked_at: ctx.clock.now().toISOString(),
      })
      .where('id', '=', row.id)
      .execute();
    await audit(ctx, {
      name: 'privacy',
      description: 'erasure requested',
      subject_type: 'privacy',
      subject_id: row.id,
      corporation_id: row.corporation_id,
      after: { reason },
    });
    await enqueue(ctx.db, erasePersonJob, { person_request_id: row.id! }, { tenant: row.corporation_id });
    return { data: onWire(ctx, await findRequest(ctx, row.id!)) };
  });
  mountFile(app, contract.erasureCertificate, 'masked', (ctx, { params }) => certificate(ctx, params.id));
}

/** Query for the corporations that a request covers: one with its customers. */
const covered = (id: number) =>
  sql<number>`(SELECT c.id FROM corporation c JOIN corporation own ON own.id = ${id}
    WHERE c.id = own.id OR (own.is_reseller AND c.reseller_id = own.id))`;
