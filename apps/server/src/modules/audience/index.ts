import { contact, contactHistory } from '@heliograph/contract/audience/contact';
import { contactField, contactFieldUse } from '@heliograph/contract/audience/contact-field';
import { mergeContacts as mergeOperation } from '@heliograph/contract/audience/contact-merge';
import { countSegment, sampleSegment, segment, segmentUse } from '@heliograph/contract/audience/segment';
import { type App, mount, mountResource } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { downloadTask } from '#platform/tasks/downloads';
import { exportList, type LoadCaller } from '#platform/tasks/exported-list';
import { workTasks } from '#platform/tasks/run-task';
import { contactFields, countFieldUse, emptyContactField, emptyContactFieldJob } from './contact-fields.ts';
import { contactFile, exportContactsJob } from './contact-file.ts';
import { showHistory } from './contact-history.ts';
import { contactImportRoutes } from './contact-import-calls.ts';
import { mergeContacts } from './contact-merge.ts';
import { contactSelectionRoutes } from './contact-selection.ts';
import { undoContactImport, undoContactImportJob } from './contact-undo.ts';
import { contacts } from './contacts.ts';
import * as own from './segments.ts';

export { emptyContactFieldJob } from './contact-fields.ts';
export { exportContactsJob } from './contact-file.ts';
export { contactKind } from './contact-import.ts';
export { contactChangeRetention, undoContactImportJob } from './contact-undo.ts';
export { type ContactField, readContactFields, storedValue } from './field-values.ts';
export { deleteContact, findContact, findContacts, saveContact, saveContacts } from './program-contacts.ts';
export { knowRules } from './segment-scope.ts';
export { countContacts, firstContacts, knowRule, readRule, segments } from './segments.ts';

/** Mounts contacts, their fields, and the history of a person. */
export function audienceRoutes(app: App): void {
  mountResource(app, contactField, contactFields);
  mount(app, contactFieldUse, countFieldUse);
  mountResource(app, contact, contacts);
  mount(app, contactHistory, showHistory);
  mount(app, mergeOperation, mergeContacts);
  // A call of its own is not the id of a segment.
  mount(app, countSegment, own.countSegment);
  mount(app, sampleSegment, own.sampleSegment);
  mountResource(app, segment, own.segments);
  mount(app, segmentUse, own.countSegmentUse);
  contactImportRoutes(app);
  contactSelectionRoutes(app);
}

/** Registers the jobs of contacts: values of deleted fields, imports that are undone, and files. */
export async function audienceJobs(worker: WorkerContext, loadCaller: LoadCaller): Promise<void> {
  await worker.jobs.work(emptyContactFieldJob, ({ contact_field_id }, signal) =>
    emptyContactField(worker, contact_field_id, signal),
  );
  await worker.jobs.work(undoContactImportJob, ({ bulk_upload_id }, signal) =>
    undoContactImport(worker, bulk_upload_id, signal),
  );
  await workTasks(worker, downloadTask, exportContactsJob, (id, signal) =>
    exportList(worker, loadCaller, [contactFile as never], id, signal),
  );
}
