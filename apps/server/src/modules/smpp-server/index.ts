import { smppSessions, unbindSession } from '@heliograph/contract/smpp-server/session';
import { systemId } from '@heliograph/contract/smpp-server/system-id';
import { type App, mount, mountResource } from '#platform/http/http';
import { askUnbind, sessionPage } from './list-sessions.ts';
import { systemIds } from './system-ids.ts';

export { SmppServer } from './server.ts';

/** Mounts the operations on system ids and on the current binds. */
export function mountSmppServer(app: App): void {
  mountResource(app, systemId, systemIds);
  mount(app, smppSessions, (ctx, { query }) => sessionPage(ctx, query));
  mount(app, unbindSession, (ctx, { params }) => askUnbind(ctx, params.id));
}
