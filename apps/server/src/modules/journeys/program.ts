import { sql } from 'kysely';
import { saveContact } from '#modules/audience';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { tellWork } from '#platform/jobs/work-watch';
import { readDefinition } from './definition.ts';
import { againBefore } from './enter.ts';
import { stored } from './journeys.ts';

type Given = Parameters<typeof saveContact>[2];

/**
 * Lets a person enter a journey whose trigger is an event, with the values of their contact, which is added if there is
 * none. Returns false if the person is under way, or may not enter again yet. Throws `journey_closed`.
 */
export async function enterPerson(ctx: Context, journeyId: number, person: Given): Promise<boolean> {
  const { data } = await stored.get(ctx, { params: { id: journeyId }, query: {}, body: {} });
  const { rows } = await sql<{ version_id: number; definition: unknown }>`SELECT j.version_id, v.definition
    FROM journey j JOIN journey_version v ON v.id = j.version_id WHERE j.id = ${data.id} AND j.state = 'running'`.execute(
    ctx.db,
  );
  const [running] = rows;
  const definition = running && readDefinition(running.definition);
  if (!running || definition?.trigger.on !== 'event') throw new BusinessError('journey_closed');
  const { number } = await saveContact(ctx, data.corporation_id, person);
  const now = ctx.clock.now();
  const at = now.toISOString();
  const { numAffectedRows } = await sql`
    INSERT INTO journey_person AS p (journey_id, number, corporation_id, version_id, due_at, entered_at)
    VALUES (${data.id}, ${number}, ${data.corporation_id}, ${running.version_id}, ${at}, ${at})
    ON CONFLICT (number, journey_id) DO UPDATE SET version_id = excluded.version_id, step = 0, due_at = excluded.due_at,
      entered_at = excluded.entered_at, ended_at = NULL, trail = '{}'
      WHERE p.due_at IS NULL AND p.ended_at <= ${againBefore(definition.again_days, now)}`.execute(ctx.db);
  await tellWork(ctx.db);
  return numAffectedRows === 1n;
}
