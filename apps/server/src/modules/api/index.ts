import * as keyContract from '@heliograph/contract/api/api-key';
import { openApiDocument } from '@heliograph/contract/api/openapi';
import { postmanCollection } from '@heliograph/contract/api/postman';
import * as accountContract from '@heliograph/contract/api/service-account';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { shortLinkHost } from '#modules/campaigns';
import { Intake } from '#modules/intake';
import { sandboxRoutes } from '#modules/sandbox';
import { createDatabase, type Database } from '#platform/database/db';
import type { FanOut } from '#platform/fan-out/fan-out';
import { sendTagged } from '#platform/http/entity-tag';
import { type App, mount, mountResource } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { lookOf } from '#platform/operator/brand';
import { keptSecretKey } from '#platform/process/seal';
import { accountRoutes } from './account.ts';
import { callbackCalls } from './callbacks.ts';
import { consentCalls } from './consents.ts';
import { contactCalls } from './contacts.ts';
import { conversationRoutes } from './conversations.ts';
import { conversionCalls } from './conversions.ts';
import { eventFeed } from './event-feed.ts';
import { eventStream } from './event-stream.ts';
import { invoiceRoutes } from './invoices.ts';
import { journeyCalls } from './journeys.ts';
import { Keyring } from './keyring.ts';
import { apiKeys, revokeKey, rotateKey } from './keys.ts';
import { messageRoutes } from './messages.ts';
import type { PublicApi } from './mount-public.ts';
import { sandboxCalls } from './sandbox.ts';
import { segmentCalls } from './segments.ts';
import { sendRoutes } from './send.ts';
import { replaceKey, revokeServiceKey, serviceAccountKeys } from './service-account-keys.ts';
import { serviceAccounts } from './service-accounts.ts';
import { mailKeyEnd, mailKeyEndJob, tellKeyEnds, tellKeyEndsJob } from './tell-key-ends.ts';
import { topUpRoutes } from './top-ups.ts';
import { verificationCalls } from './verifications.ts';

export { balanceOf } from './account.ts';
export { byAgents, isForAgents } from './by-agents.ts';
export { groupRetention } from './event-groups.ts';
export { ACCOUNT } from './key-material.ts';
export { makeKey, revokeNamed } from './keys.ts';
export { messageOf, newestMessages, type WantedMessages } from './messages.ts';
export { type PublicApi, programOf, provenHolder, readAs } from './mount-public.ts';
export { mailKeyEndJob, tellKeyEndsJob } from './tell-key-ends.ts';

/** Descriptions of the public API for programs, by path. */
const DOCUMENTS = [
  ['/v1/openapi.json', openApiDocument],
  ['/v1/postman.json', postmanCollection],
] as const;

/** Registers the jobs that mail people before keys end; each hour looks, because days begin by time zone. */
export async function apiJobs(worker: WorkerContext): Promise<void> {
  await worker.jobs.work(tellKeyEndsJob, () => tellKeyEnds(worker));
  await worker.jobs.schedule(tellKeyEndsJob, '7 * * * *');
  await worker.jobs.work(mailKeyEndJob, (data) => mailKeyEnd(worker, data));
}

/**
 * Mounts the public API of customers' programs, and their keys. `intakePool` has sessions of the role `intake`; the
 * caller ends it after `close`.
 */
export function mountApi(
  app: App,
  { intakePool, authDb, fanOut }: { intakePool: pg.Pool; authDb: Kysely<Database>; fanOut: FanOut },
): { api: PublicApi; close(): Promise<void> } {
  const installationKey = keptSecretKey(app.config);
  const keyring = new Keyring({ intake: createDatabase(intakePool), auth: authDb }, app.clock, installationKey);
  const intake = new Intake(intakePool, {
    clock: app.clock,
    log: app.log,
    ownHosts: [shortLinkHost(app.config)],
    named: app.config.POOLER_URL === undefined,
    installationKey,
  });
  intake.share(fanOut);
  const api: PublicApi = { app, keyring, intake };
  sendRoutes(api);
  messageRoutes(api);
  accountRoutes(api);
  eventFeed(api);
  const stream = eventStream(api, fanOut);
  callbackCalls(api);
  conversationRoutes(api);
  consentCalls(api);
  contactCalls(api);
  conversionCalls(api);
  segmentCalls(api);
  journeyCalls(api);
  invoiceRoutes(api);
  topUpRoutes(api);
  verificationCalls(api, intakePool, installationKey);
  sandboxCalls(api);
  // Each host has the documents of its own API. Its address is the one set by the operator or the reseller. It is never
  // taken from the request, because anybody can write that.
  for (const [path, documentOf] of DOCUMENTS)
    app.server.get(path, async (request, reply) => {
      const { name, reseller, base_url } = await lookOf(authDb, request.hostname);
      const document = documentOf({ title: name, url: (reseller ? base_url : app.config.PUBLIC_URL) ?? '/' });
      reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8');
      return sendTagged(request, reply, JSON.stringify(document));
    });
  sandboxRoutes(app);
  mountResource(app, keyContract.apiKey, apiKeys);
  mount(app, keyContract.rotateApiKey, rotateKey);
  mount(app, keyContract.revokeApiKey, revokeKey);
  mountResource(app, accountContract.serviceAccount, serviceAccounts);
  mountResource(app, accountContract.serviceAccountKey, serviceAccountKeys);
  mount(app, accountContract.replaceServiceAccountKey, replaceKey);
  mount(app, accountContract.revokeServiceAccountKey, revokeServiceKey);
  return {
    api,
    async close() {
      await stream.close();
      await intake.close();
      await keyring.close();
    },
  };
}
