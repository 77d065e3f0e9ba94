import { cardTask } from '#modules/billing';
import { importTask, listTask } from '#modules/contacts';
import { bulkUploadTask } from '#platform/tasks/bulk-upload';
import { downloadTask } from '#platform/tasks/downloads';
import type { TaskKinds } from '#platform/tasks/task';

/** Every type of tasks. */
export const TASKS: TaskKinds = {
  import: importTask,
  bulk_upload: bulkUploadTask,
  list_job: listTask,
  card_upload: cardTask,
  download: downloadTask,
};
