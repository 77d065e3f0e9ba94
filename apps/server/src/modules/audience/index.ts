import { contact, contactHistory } from '@heliograph/contract/audience/contact';
import { contactField, contactFieldUse } from '@heliograph/contract/audience/contact-field';
import { countSegment, sampleSegment, segment, segmentUse } from '@heliograph/contract/audience/segment';
import { type App, mount, mountResource } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { contactFields, countFieldUse, emptyContactField, emptyContactFieldJob } from './contact-fields.ts';
import { showHistory } from './contact-history.ts';
import { contacts } from './contacts.ts';
import * as own from './segments.ts';

export { emptyContactFieldJob } from './contact-fields.ts';
export { readContactFields } from './field-values.ts';
export { deleteContact, findContact, findContacts, saveContact } from './program-contacts.ts';
export { knowRules } from './segment-scope.ts';
export { countContacts, firstContacts, knowRule, readRule, segments } from './segments.ts';

/** Mounts contacts, their fields, and the history of a person. */
export function audienceRoutes(app: App): void {
  mountResource(app, contactField, contactFields);
  mount(app, contactFieldUse, countFieldUse);
  mountResource(app, contact, contacts);
  mount(app, contactHistory, showHistory);
  // A call of its own is not the id of a segment.
  mount(app, countSegment, own.countSegment);
  mount(app, sampleSegment, own.sampleSegment);
  mountResource(app, segment, own.segments);
  mount(app, segmentUse, own.countSegmentUse);
}

/** Registers the job that removes the values of deleted fields. */
export async function audienceJobs(worker: WorkerContext): Promise<void> {
  await worker.jobs.work(emptyContactFieldJob, ({ contact_field_id }, signal) =>
    emptyContactField(worker, contact_field_id, signal),
  );
}
