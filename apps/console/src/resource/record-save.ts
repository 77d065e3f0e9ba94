import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { request } from '../platform/call.ts';
import { problemFrom } from '../platform/problem.ts';
import { same } from '../platform/same.ts';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toast.ts';
import { contestsOf } from './edit-conflict.tsx';
import type { Rebase } from './form.tsx';
import { fieldsIn, initialValues, type Values } from './form-values.ts';

interface Reply {
  data: Values;
  message?: string;
}

/** Maximum tries of a save. It is abandoned if others saved first each time. */
const MERGES = 4;

/** Returns a record's name as it stands within a sentence: “Sender ID” becomes “sender ID”, “API key” stays. */
const inSentence = (name: string) => (/^\p{Lu}\p{Ll}/u.test(name) ? name[0]?.toLowerCase() + name.slice(1) : name);

/** Form of one record of a resource, in a drawer or on a page. */
export interface RecordSave {
  title: string;
  schema: z.ZodObject;
  initial: Values;
  row: Values | null;
  submitLabel: string;
  /** Saves the values. Returns the record; null if the person has to choose between two values first. */
  save: (values: Values, rebase: Rebase) => Promise<Values | null>;
}

/** Returns all that a form needs to create a record (`known` is null) or to edit one. `preset` fills a new record. */
export function useRecordSave(resource: AnyResource, known: Values | null, preset?: Values): RecordSave {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [row, setRow] = useState(known);
  const own = useOwn();
  const record = t(keyIn('resources', resource.name, 'one'));
  const schema = row ? resource.update : resource.create;
  const [initial, setInitial] = useState(() => initialValues(schema, row ?? { ...own, ...preset }));

  /**
   * Saves the changed fields of a record on top of the changes that others made meanwhile. Returns null if both changed
   * the same field.
   */
  async function update(entered: Values, rebase: Rebase): Promise<Reply | null> {
    let values = entered;
    let base = { row: row!, initial };
    for (let tries = 1; ; tries++) {
      const changed = Object.fromEntries(
        fieldsIn(schema, values).filter(([field, value]) => !same(value, base.initial[field])),
      );
      try {
        const ifMatch = base.row['etag'] as string | undefined;
        return (await request(resource.updateOne, { params: { id: base.row['id'] }, body: changed, ifMatch })) as Reply;
      } catch (error) {
        const conflict = problemFrom(error)?.conflict;
        if (!conflict || tries === MERGES) throw error;
        const contests = contestsOf(resource, conflict, base.row, changed);
        const now = { row: conflict.current, initial: initialValues(schema, conflict.current) };
        setRow(now.row);
        setInitial(now.initial);
        values = rebase(
          base.initial,
          now.initial,
          contests.map((each) => ({ ...each, theirs: now.initial[each.field] })),
        );
        base = now;
        void client.invalidateQueries({ queryKey: [resource.name] });
        if (contests.length > 0) return null;
      }
    }
  }

  return {
    title: row
      ? t('form.edit_title', { name: String(row[resource.title]) })
      : t('form.create_title', { record: inSentence(record) }),
    schema,
    initial,
    row,
    submitLabel: t(row ? 'actions.save' : 'actions.create'),
    async save(values, rebase) {
      const reply = row
        ? await update(values, rebase)
        : ((await request(resource.createOne, { body: Object.fromEntries(fieldsIn(schema, values)) })) as Reply);
      if (!reply) return null;
      void client.invalidateQueries({ queryKey: [resource.name] });
      void toast('success', reply.message ?? t(row ? 'saved.updated' : 'saved.created', { record }));
      return reply.data;
    },
  };
}

/** Returns the user's own corporation and department, to which a new record most likely belongs. */
export function useOwn(): Values {
  const profile = useSession((s) => s.profile);
  return { corporation_id: profile?.corporation_id ?? null, department_id: profile?.department_id ?? null };
}
