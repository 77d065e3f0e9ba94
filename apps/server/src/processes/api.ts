import { join } from 'node:path';
import { listenFaultLine } from '@heliograph/installation/ports';
import { StartError } from '@heliograph/installation/start-error';
import type { FastifyInstance } from 'fastify';
import { mountAccess, recoveriesAskedOf } from '#modules/access';
import { mountAgents } from '#modules/agents';
import { alarmRoutes } from '#modules/alarms';
import { mountApi } from '#modules/api';
import { audienceRoutes } from '#modules/audience';
import { auditRoutes } from '#modules/audit';
import { auditStreamRoutes } from '#modules/audit-streams';
import { mountBilling } from '#modules/billing';
import { mountCallbacks } from '#modules/callbacks';
import {
  campaignRoutes,
  endHeld,
  guardShortLinkHosts,
  letHeldGo,
  pauseCampaignsOf,
  shortLinkHost,
} from '#modules/campaigns';
import { mountCarrierCosts } from '#modules/carrier-costs';
import { mountCarrierInvoices } from '#modules/carrier-invoices';
import { carrierQualityRoutes } from '#modules/carrier-quality';
import { mountCarrierRoutes } from '#modules/carrier-routes';
import { contactsRoutes } from '#modules/contacts';
import { dashboardRoutes } from '#modules/dashboard';
import { moveUnregistered, wakeSenders } from '#modules/delivery';
import { findArticles, mountDocumentation } from '#modules/documentation';
import { mountDoors } from '#modules/doors';
import { exchangeRateRoutes } from '#modules/exchange-rates';
import { mountHttpDeliveries } from '#modules/http-deliveries';
import { createAuthenticator, createSessionReader, mountIdentity, supportRequestsOf } from '#modules/identity';
import { mountInboundRouting } from '#modules/inbound-routing';
import { mountInbox } from '#modules/inbox';
import { mountInvoices } from '#modules/invoices';
import { journeyRoutes } from '#modules/journeys';
import { linkTruthRoutes } from '#modules/link-truth';
import { mountLinks } from '#modules/links';
import { mountMarginGuard } from '#modules/margin-guard';
import { mountMargins } from '#modules/margins';
import { mountModeration } from '#modules/moderation';
import { networkRoutes } from '#modules/networks';
import { KeptNode, mountNodes } from '#modules/nodes';
import { notificationRoutes } from '#modules/notifications';
import { numberLookupRoutes } from '#modules/number-lookups';
import { mountOrganizations } from '#modules/organizations';
import { firstAllowed, mountPolicy } from '#modules/policy';
import { erasuresAskedOf, privacyRoutes } from '#modules/privacy';
import { reportRoutes } from '#modules/reports';
import { scheduledFileRoutes } from '#modules/scheduled-files';
import { searchRoutes } from '#modules/search';
import { mountSenders } from '#modules/senders';
import { mountSettings } from '#modules/settings';
import { mountSingleSignOn } from '#modules/single-sign-on';
import { mountSmppServer } from '#modules/smpp-server';
import { mountTemplates } from '#modules/templates';
import { mountTopUps } from '#modules/top-ups';
import { verifyRoutes } from '#modules/verify';
import { useNumberKey } from '#platform/person/number-digest';
import { SessionWatch } from '../platform/access/session-watch.ts';
import { systemClock } from '../platform/clock.ts';
import type { ConnectedConfig } from '../platform/config/config.ts';
import { setScope } from '../platform/context.ts';
import { createDatabase, createPool } from '../platform/database/db.ts';
import { followStandby } from '../platform/database/standby.ts';
import { fanOutCheck } from '../platform/fan-out/fan-out-check.ts';
import { startFanOut } from '../platform/fan-out/tell.ts';
import { removeOldDrafts } from '../platform/files/files.ts';
import { serveConsole } from '../platform/http/console-page.ts';
import type { App } from '../platform/http/http.ts';
import { followRoutes } from '../platform/http/other-methods.ts';
import { createServer, endRequests } from '../platform/http/server.ts';
import { startEnqueuing } from '../platform/jobs/jobs.ts';
import { dataFolderCheck } from '../platform/operate/checks.ts';
import { traceRequests } from '../platform/operate/http-tracing.ts';
import { measureRequests } from '../platform/operate/metrics.ts';
import { Readiness } from '../platform/operate/readiness.ts';
import { lookOf } from '../platform/operator/brand.ts';
import { storeLog } from '../platform/process/log-store.ts';
import { type ProcessContext, type Running, runProcess } from '../platform/process/run-process.ts';
import { secretKey } from '../platform/process/seal.ts';
import { publicUrl, stopInOrder } from '../platform/process/shutdown.ts';
import { type ChannelRule, mountRealtime } from '../platform/realtime/realtime.ts';
import { previewRoutes } from '../platform/table/preview-calls.ts';
import { bulkUploadRoutes } from '../platform/tasks/bulk-upload.ts';
import { followLines } from '../platform/text/language-lines.ts';
import { refuseOpenDemo } from './open-demo.ts';
import { RETENTION } from './retention.ts';
import { TASKS } from './tasks.ts';

const CONSOLE = join(import.meta.dirname, '../../../console/dist');

/** Rules of who may listen to each channel: the object decides, not only the login. */
export function channelRules(app: Pick<App, 'database'>): Record<string, ChannelRule> {
  return {
    'App.Models.User': (caller, id) => caller.user_id === Number(id),
    // Channel for events of all people, such as a change of the menu.
    application: (_caller, id) => id === '1',
    corporation: (caller, id) => caller.corporations.includes(Number(id)) || caller.scope_level < 2,
    links: (caller, id) => id === '0' && caller.scope_level < 2 && caller.permissions.has('links-index'),
    campaign: (caller, id) =>
      caller.permissions.has('campaigns-show') &&
      app.database.transaction().execute(async (db) => {
        await setScope(db, caller);
        return (
          (await db.selectFrom('campaign').select('id').where('id', '=', Number(id)).executeTakeFirst()) !== undefined
        );
      }),
  };
}

/**
 * Composes the API over a database, without listening yet; `sessions` replace the usual ones of the database, and
 * `authenticate` the sign-in by tokens, for a command that calls in one person's name.
 */
export async function buildApi({
  config,
  log,
  readiness = new Readiness(),
  stalled,
  clock = systemClock,
  sessions,
  authenticate,
}: ProcessContext & Partial<Pick<App, 'clock' | 'authenticate'>> & { sessions?: number | undefined }): Promise<{
  server: FastifyInstance;
  stop(): Promise<void>;
}> {
  const pool = createPool(config, 'api', sessions === undefined ? {} : { max: sessions });
  const auth = createPool(config, 'auth');
  const intakePool = createPool(config, 'intake');
  const database = createDatabase(pool);
  const enqueuing = await startEnqueuing(pool, log);
  const fanOut = await startFanOut(config, 'api', log);
  const lines = await followLines(fanOut, database, log);
  const server = await createServer(config, log, { stalled });
  const answerOtherMethods = followRoutes(server);
  const authDb = createDatabase(auth);
  const key = secretKey(config);
  useNumberKey(config);
  measureRequests(server);
  traceRequests(server, config);
  const standby = followStandby(config, 'api', pool, log);
  const sessionWatch = new SessionWatch(createSessionReader({ authDb, clock }), log);
  const app = {
    standby,
    server,
    database,
    config,
    clock,
    log,
    authenticate: authenticate ?? createAuthenticator({ authDb, clock }),
    sessionWatch: authenticate ? undefined : sessionWatch,
  } satisfies App;

  guardShortLinkHosts(app);
  readiness.add(fanOutCheck(() => fanOut.state()));
  readiness.add(dataFolderCheck({ config }));
  server.get('/healthz', { config: { unlimited: true } }, async () => ({ status: 'ok' }));
  // This address is open to everybody: error texts are only on the operations port.
  server.get('/readyz', { config: { unlimited: true } }, async (_request, reply) => {
    const { ready, checks } = await readiness.report();
    const named = checks.map(({ name, ok }) => ({ name, ok }));
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'not_ready', checks: named });
  });
  const identity = { authDb, key, clock };
  mountIdentity(app, identity);
  mountAccess(app, identity);
  mountSingleSignOn(app, identity);
  auditRoutes(app);
  mountOrganizations(app, identity);
  mountSenders(app, pauseCampaignsOf, moveUnregistered);
  mountLinks(app);
  alarmRoutes(app);
  mountCarrierRoutes(app);
  networkRoutes(app);
  carrierQualityRoutes(app);
  mountCarrierCosts(app);
  numberLookupRoutes(app);
  linkTruthRoutes(app);
  mountInboundRouting(app);
  mountBilling(app);
  mountTopUps(app);
  exchangeRateRoutes(app);
  mountCarrierInvoices(app);
  mountInvoices(app);
  mountMargins(app);
  mountMarginGuard(app);
  contactsRoutes(app);
  audienceRoutes(app);
  journeyRoutes(app);
  verifyRoutes(app);
  campaignRoutes(app);
  dashboardRoutes(app);
  reportRoutes(app);
  scheduledFileRoutes(app);
  auditStreamRoutes(app);
  privacyRoutes(app, RETENTION);
  notificationRoutes(app, TASKS, [(ctx) => supportRequestsOf(identity, ctx), erasuresAskedOf, recoveriesAskedOf]);
  mountInbox(app);
  mountCallbacks(app);
  mountHttpDeliveries(app);
  mountTemplates(app);
  mountModeration(app, {
    letGo: letHeldGo,
    end: endHeld,
    firstAllowed,
    wakeSenders,
    ownHosts: [shortLinkHost(app.config)],
  });
  mountSettings(app);
  mountPolicy(app);
  mountSmppServer(app);
  mountNodes(app);
  mountDocumentation(app, authDb);
  searchRoutes(app, findArticles);
  bulkUploadRoutes(app);
  previewRoutes(app);
  const programs = mountApi(app, { intakePool, authDb, fanOut });
  mountDoors(programs.api);
  mountAgents(programs.api, identity);
  const realtime = await mountRealtime({ ...app, sessionWatch }, fanOut, channelRules(app), key);
  answerOtherMethods();
  await serveConsole(server, CONSOLE, async (host) => {
    const { name, color, favicon_path, reseller } = await lookOf(authDb, host);
    // A reseller without an icon gets none, rather than the platform's.
    return { name, color, icon: favicon_path ?? (reseller ? 'data:,' : null) };
  });
  return {
    server,
    stop: () =>
      stopInOrder(
        [
          [
            { name: 'language lines', within: 1_000, stop: () => lines.stop() },
            { name: 'live events', within: 1_000, stop: () => realtime.stop() },
            { name: 'watch of sessions', within: 1_000, stop: () => sessionWatch.stop() },
          ],
          { name: 'requests', within: 6_000, stop: () => endRequests(server) },
          { name: 'messages of programs', within: 2_000, stop: () => programs.close() },
          [
            { name: 'jobs', within: 1_000, stop: () => enqueuing.stop() },
            { name: 'fan-out', within: 1_000, stop: () => fanOut.stop() },
          ],
          {
            name: 'database sessions',
            within: 2_000,
            stop: () => Promise.all([standby.stop(), pool.end(), auth.end(), intakePool.end()]),
          },
        ],
        log,
      ),
  };
}

/** Throws a StartError if other machines would reach logins with a public password. */
async function requireNoOpenDemo(config: ConnectedConfig): Promise<void> {
  const pool = createPool(config, 'auth', { max: 1 });
  try {
    await refuseOpenDemo(config, pool);
  } finally {
    await pool.end();
  }
}

/** Starts the process that serves the console and the HTTP API. */
export async function startApi(context: ProcessContext): Promise<Running> {
  const { config, log } = context;
  const kept = storeLog(config, 'api');
  await removeOldDrafts(config);
  await requireNoOpenDemo(config);
  const { server, stop } = await buildApi(context);
  try {
    await server.listen({ port: config.PORT, host: config.HOST });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(listenFaultLine(code, { host: config.HOST, port: config.PORT, portSetting: 'PORT' }));
  }
  const node = new KeptNode(config, { kind: 'api', role: 'auth', log });
  await node.start();
  const address = server.server.address();
  return {
    url: publicUrl(config, typeof address === 'object' && address ? address.port : config.PORT),
    stop: async () => {
      await stop();
      await stopInOrder(
        [
          [
            { name: 'list of nodes', within: 1_000, stop: () => node.stop() },
            { name: 'log', within: 1_000, stop: () => kept.stop() },
          ],
        ],
        log,
      );
    },
  };
}

if (import.meta.main) await runProcess('api', startApi);
