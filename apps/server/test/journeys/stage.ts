import type pg from 'pg';
import { OwnIntake, type Program } from '#modules/intake';
import { createDatabase, createPool } from '#platform/database/db';
import { startEnqueuing } from '#platform/jobs/jobs';
import { createLogger } from '#platform/log';
import { JourneyClock } from '../../src/modules/journeys/clock.ts';
import { makeIntakeStage } from '../intake/stage.ts';
import type { Scope, TestDatabase } from '../template-database.ts';

/** Journeys over a real database: a corporation with a funded account, and a clock that tests set. */
export interface JourneyStage {
  database: TestDatabase;
  owner: pg.Pool;
  program: Program;
  sender: number;
  clock: { at: string; now(): Date };
  rows<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Adds contacts with consecutive numbers. */
  contacts(count: number, tags?: string[], name?: string | null): Promise<string[]>;
  segment(tag: string): Promise<number>;
  /** Adds a journey that runs. */
  journey(definition: object, budget?: number | null): Promise<number>;
  /** Lets contacts of a tag be at the beginning of a journey. */
  enter(journeyId: number, numbers: readonly string[]): Promise<void>;
  /** Leads everybody on who is due, as a worker would. */
  look(): Promise<number>;
  people(journeyId: number): Promise<{ number: string; step: number; due_at: string | null; trail: number[] }[]>;
}

/** Opens the stage. */
export async function journeyStage(t: Scope, options: { funds?: number } = {}): Promise<JourneyStage> {
  const clock = { at: '2026-06-01T04:00:00Z', now: () => new Date(clock.at) };
  const intake = await makeIntakeStage(t, { clock });
  const { database, owner } = intake;
  const program = await intake.tenant('Web', options);
  const rows = async <Row>(text: string, values: unknown[] = []) => (await owner.query(text, values)).rows as Row[];
  const id = async (text: string, values: unknown[] = []) => (await rows<{ id: number }>(text, values))[0]!.id;
  const { corporation_id } = program;
  const sender = await id('SELECT id FROM sender_id WHERE corporation_id = $1', [corporation_id]);
  const pool = database.pool('worker');
  const piped = createPool({ DATABASE_URL: database.url }, 'worker', { max: 2, pipeline: true });
  t.after(() => piped.end());
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  const enqueuing = await startEnqueuing(pool, log);
  t.after(() => enqueuing.stop());
  const work = { database: createDatabase(pool), clock, log, watch: undefined };
  const installationKey = () => Buffer.alloc(32);
  let numbers = 639_170_000_000;
  let names = 0;
  return {
    database,
    owner,
    program,
    sender,
    clock,
    rows,
    async contacts(count, tags = [], name = null) {
      const made = Array.from({ length: count }, () => String(++numbers));
      await owner.query(
        'INSERT INTO contact (corporation_id, number, tags, name) SELECT $1, n, $3, $4 FROM unnest($2::text[]) n',
        [corporation_id, made, tags, name],
      );
      return made;
    },
    segment: (tag) =>
      id('INSERT INTO segment (corporation_id, name, rule) VALUES ($1, $2, $3) RETURNING id', [
        corporation_id,
        `${tag} ${++names}`,
        JSON.stringify({ version: 1, match: 'all', rules: [{ on: 'tag', tag, not: false }] }),
      ]),
    async journey(definition, budget = null) {
      const made = await id(
        `INSERT INTO journey (corporation_id, name, definition, state, run_by, billing_account_id, budget)
         VALUES ($1, $2, $3, 'running', $4, $5, $6) RETURNING id`,
        [corporation_id, `Journey ${++names}`, definition, program.user_id, program.billing_account_id, budget],
      );
      await owner.query(
        `WITH v AS (INSERT INTO journey_version (journey_id, corporation_id, number, definition, rules)
           SELECT $1, $2, 1, $3, coalesce(jsonb_object_agg(id, rule), '{}') FROM segment RETURNING id)
         UPDATE journey SET version_id = (SELECT id FROM v) WHERE id = $1`,
        [made, corporation_id, definition],
      );
      return made;
    },
    async enter(journeyId, entering) {
      await owner.query(
        `INSERT INTO journey_person (journey_id, number, corporation_id, version_id, due_at, entered_at)
         SELECT j.id, n, j.corporation_id, j.version_id, $3, $3 FROM journey j, unnest($2::text[]) n WHERE j.id = $1`,
        [journeyId, entering, clock.at],
      );
    },
    async look() {
      // A look of a new worker reads the operator's rules again.
      const own = new OwnIntake(piped, { clock, log, ownHosts: [], installationKey });
      const people = await new JourneyClock({ ...work, intake: own }).look();
      await own.close();
      return people;
    },
    people: (journeyId) =>
      rows('SELECT number, step, due_at, trail FROM journey_person WHERE journey_id = $1 ORDER BY number', [journeyId]),
  };
}
