import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import * as contract from '@heliograph/contract/privacy/person-request';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import { BusinessError, fieldError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { mountFile } from '#platform/http/mount-file';
import { enqueue } from '#platform/jobs/jobs';
import { readNumberRules } from '#platform/operator/number-rules';
import { numberDigest } from '#platform/person/number-digest';
import { seal, secretKey } from '#platform/process/seal';
import { askForDownload } from '#platform/tasks/downloads';
import { certificate } from './certificate.ts';
import { erasureRoutes } from './erasures.ts';
import { exportPersonJob, PERSON_FILE } from './export-person.ts';
import { findPersonJob } from './find-person.ts';
import { numberContext } from './person.ts';
import { findRequest, onWire, requestsOf, requireWholeCorporation } from './request-rows.ts';

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
  erasureRoutes(app);
  mountFile(app, contract.erasureCertificate, 'masked', (ctx, { params }) => certificate(ctx, params.id));
}
