import { Intake } from '../apps/server/src/modules/intake/index.ts';
import { Codes } from '../apps/server/src/modules/verify/codes.ts';
import { findVerification, Verifier } from '../apps/server/src/modules/verify/index.ts';
import { createDatabase, createPool } from '../apps/server/src/platform/database/db.ts';
import { installJobs } from '../apps/server/src/platform/jobs/jobs.ts';
import { createLogger } from '../apps/server/src/platform/log.ts';
import { JOBS } from '../apps/server/src/processes/jobs.ts';
import { inHouse, tell } from './harness/house.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';
import { openTenant } from './harness/tenant.ts';
import { attackStarts, honestStarts, type MadeStart, randomOf, SHAPES } from './harness/verify-traffic.ts';

// Replays attacks among honest traffic through the real start and check of verifications, by a clock of its own. The traffic is
// made from a seed; each shape has a service with an honest history. Precision is the share of attacks among refused starts,
// recall that of refused ones among attacks.

const KEY = Buffer.alloc(32, 7);
const HOURS = 14;
/** Hour at which the attacks begin: the service has a history of its own then. */
const FROM = 8;
const { people, attack, seed } = readOptions({ people: 3_000, attack: 600, seed: 1 });

await inHouse(async (house) => {
  await installJobs(house.postgres.url, JOBS);
  const tenant = await openTenant(house.postgres.url, 1, 10);
  house.closing.push(() => tenant.client.end());
  const { client, corporation_id, user_id, billing_account_id } = tenant;
  // Decisions are measured, not time.
  await client.query(
    "DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END$$",
  );
  await client.query('UPDATE user_account SET corporation_id = $1, scope_level = 2 WHERE id = $2', [
    corporation_id,
    user_id,
  ]);
  await client.query("INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, 'Bench')", [corporation_id]);
  const pool = createPool({ DATABASE_URL: house.postgres.url }, 'intake', { max: 4 });
  house.closing.push(() => pool.end());
  const clock = { at: Date.now(), now: () => new Date(clock.at) };
  const log = createLogger({ LOG_LEVEL: 'warn' }, 'bench', process.stderr);
  const intake = new Intake(pool, { clock, log, windowMs: 0, installationKey: () => KEY });
  house.closing.push(() => intake.close());
  const verifier = new Verifier(createDatabase(pool), intake, clock, () => KEY);
  const owner = createDatabase(createPool({ DATABASE_URL: house.postgres.url }, 'owner', { max: 4 }));
  house.closing.push(() => owner.destroy());
  const codes = new Codes(KEY);
  const program = {
    corporation_id,
    department_id: null,
    user_id,
    billing_account_id,
    api_key_id: null,
    smpp_system_id: null,
    read_national: false,
    is_test: false,
  };
  const holder = { corporation_id, is_test: false };

  for (const shape of SHAPES) {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO verify_service (corporation_id, name, app_name, code_length, minutes, tries, resends, resend_pause, senders, language,
         format, countries, guard, number_limit, address_limit, device_limit, block_limit)
       VALUES ($1, $2, 'Bench', 6, 10, 5, 3, 30, '{Bench}', 'en', 'plain', '{PH}', 'enforce', 5, 10, 5, 5) RETURNING id`,
      [corporation_id, shape],
    );
    const service = String(rows[0]!.id);
    const chance = randomOf(seed * 100 + SHAPES.indexOf(shape));
    const starts = [...honestStarts(chance, people, HOURS), ...attackStarts(chance, shape, FROM, attack)];
    const began = clock.at;
    const refused = await replay(starts, async (due) => {
      clock.at = began + due.at * 1_000;
      const outcome = await verifier.start(
        program,
        { service, to: due.number, client_ip: due.client_ip, device: due.device },
        {},
      );
      if (!outcome.answer) return null;
      const id = Number((JSON.parse(outcome.answer.body) as { id: string }).id);
      return async (at: number) => {
        clock.at = began + at * 1_000;
        const { seed: own, code_length } = await findVerification(owner, holder, id);
        await verifier.check(owner, holder, id, codes.codeOf(own!, code_length));
      };
    });
    clock.at = began + HOURS * 3_600_000;
    const attacks = [...refused].filter((each) => each.attack).length;
    const honest = starts.filter((each) => !each.attack).length;
    tell(`${shape}: ${attacks} of ${attack} attacks and ${refused.size - attacks} of ${honest} honest starts refused`);
    report('verify-guard', [
      { figure: `${shape}.precision`, value: attacks / refused.size, unit: '' },
      { figure: `${shape}.recall`, value: attacks / attack, unit: '' },
      { figure: `${shape}.honest_refused_percent`, value: ((refused.size - attacks) / honest) * 100, unit: '%' },
    ]);
  }
});

/** Leads starts and checks through in the order of their times; returns the starts that were refused. */
async function replay(
  starts: readonly MadeStart[],
  start: (due: MadeStart) => Promise<((at: number) => Promise<void>) | null>,
): Promise<Set<MadeStart>> {
  const refused = new Set<MadeStart>();
  const work: { at: number; run(): Promise<void> }[] = starts.map((due) => ({
    at: due.at,
    async run() {
      const check = await start(due);
      if (!check) refused.add(due);
      else if (due.entered !== null) {
        const at = due.at + due.entered;
        let place = work.length;
        while (place > 0 && work[place - 1]!.at < at) place--;
        work.splice(place, 0, { at, run: () => check(at) });
      }
    },
  }));
  // The next one is at the end.
  work.sort((a, b) => b.at - a.at);
  for (let next = work.pop(); next; next = work.pop()) await next.run();
  return refused;
}
