import type { AnyResource } from '@heliograph/contract/kernel/resource';
import i18next from 'i18next';
import { request } from '../platform/call.ts';
import { problemFrom, sentenceOf } from '../platform/problem.ts';
import { queryClient } from '../platform/queries.ts';
import { may } from '../platform/session.ts';
import { toast } from '../platform/toast.ts';
import { openDialog } from '../ui/dialogs.ts';

/** Kinds of records on which nothing depends. They can be restored right after they were deleted. */
const LIGHT = new Set(['aliases', 'blacklist-numbers', 'blacklist-text', 'message-templates', 'numbers']);
/** Maximum number of deleted records that one click restores. */
const RESTORE_LIMIT = 20;

type Row = Record<string, unknown> & { id: number; etag?: string | undefined };

/** Creates deleted records again, with the values of their rows. */
async function restore(resource: AnyResource, rows: readonly Row[]): Promise<void> {
  const fields = Object.keys(resource.create.shape);
  try {
    for (const row of rows) {
      const known = fields.filter((field) => row[field] !== null && row[field] !== undefined);
      await request(resource.createOne, { body: Object.fromEntries(known.map((field) => [field, row[field]])) });
    }
    void toast('success', i18next.t('delete.restored'));
  } catch (error) {
    void toast('error', sentenceOf(error));
  } finally {
    await queryClient.invalidateQueries({ queryKey: [resource.name] });
  }
}

/**
 * Asks for confirmation, deletes the records one by one, and reports the result in the words of the specification.
 * `note` is a sentence on what is lost with them.
 */
export function deleteRecords(
  resource: AnyResource,
  rows: readonly { id: number; etag?: string | undefined }[],
  done?: () => void,
  note?: string,
): void {
  const t = i18next.t.bind(i18next);
  const named = rows.length === 1 ? (rows[0] as Row)[resource.title] : undefined;
  const light = LIGHT.has(resource.name) && rows.length <= RESTORE_LIMIT && may(resource.permissions.create);
  const text = [named && t('delete.named', { name: named }), note, t('delete.text')].filter(Boolean).join(' ');
  openDialog({
    title: t('delete.title'),
    text,
    confirm: rows.length === 1 ? t('actions.delete') : t('delete.many', { count: rows.length }),
    danger: true,
    onCancel: () => void toast('info', t('delete.cancelled')),
    onConfirm: async () => {
      const failures: unknown[] = [];
      for (const { id, etag: ifMatch } of rows)
        await request(resource.removeOne, { params: { id }, ifMatch }).catch((error: unknown) => failures.push(error));
      await queryClient.invalidateQueries({ queryKey: [resource.name] });
      done?.();
      if (failures.length === 0 && light)
        void toast('success', t('delete.done'), {
          label: t('delete.undo'),
          onClick: () => void restore(resource, rows as readonly Row[]),
        });
      else if (failures.length === 0) void toast('success', t('delete.done'));
      else if (rows.length > 1) {
        const changed = failures.filter(isStale).length;
        const sentences = [
          t('delete.some_failed', { done: rows.length - failures.length, failed: failures.length }),
          ...(changed > 0 ? [t('delete.some_changed', { changed })] : []),
        ];
        void toast('error', sentences.join('. '));
      } else void toast('error', reasonOf(failures[0]));
    },
  });
}

/** Returns whether another person changed a record after its list was read. */
const isStale = (error: unknown) => problemFrom(error)?.code === 'edit_conflict';

/**
 * Returns the reason of a failed deletion. Business conflicts have their own text; every other failure is an invalid
 * request.
 */
function reasonOf(error: unknown): string {
  const problem = problemFrom(error);
  if (isStale(error)) return i18next.t('delete.changed');
  if (problem?.status === 409) return problem.message || i18next.t(`errors.${problem.code}`);
  return i18next.t('delete.failed');
}
