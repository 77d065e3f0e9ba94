import * as contract from '@heliograph/contract/journeys/journey';
import { shortLinkHost } from '#modules/campaigns';
import { OwnIntake } from '#modules/intake';
import { createPool } from '#platform/database/db';
import { type App, mount, mountResource } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { keptSecretKey } from '#platform/process/seal';
import { JourneyClock } from './clock.ts';
import { dryRun } from './dry-run.ts';
import { showFigures } from './figures.ts';
import { journeys } from './journeys.ts';
import { mailJourneyPause, mailJourneyPauseJob } from './pause.ts';
import * as run from './run.ts';

export { findJourney, journeys } from './journeys.ts';
export { enterByKeyword, type Heard } from './keywords.ts';
export { mailJourneyPauseJob } from './pause.ts';
export { enterPerson } from './program.ts';

/** Mounts journeys and the actions on them. */
export function journeyRoutes(app: App): void {
  mountResource(app, contract.journey, journeys);
  mount(app, contract.startJourney, run.start);
  mount(app, contract.publishJourney, run.publishChanges);
  mount(app, contract.pauseJourney, run.pause);
  mount(app, contract.resumeJourney, run.resume);
  mount(app, contract.stopJourney, run.stop);
  mount(app, contract.journeyFigures, showFigures);
  mount(app, contract.dryRunJourney, dryRun);
}

/** Registers the jobs of journeys, and returns the clock that leads their people. */
export async function journeyJobs(worker: WorkerContext): Promise<JourneyClock> {
  const { jobs, clock, log, config } = worker;
  await jobs.work(mailJourneyPauseJob, (data) => mailJourneyPause(worker, data));
  // One session leads people, and one notes what was counted.
  const pool = createPool(config, 'worker', { max: 2, pipeline: true });
  const intake = new OwnIntake(pool, {
    clock,
    log,
    ownHosts: [shortLinkHost(config)],
    installationKey: keptSecretKey(config),
  });
  return new JourneyClock({ ...worker, intake, close: () => pool.end() });
}
