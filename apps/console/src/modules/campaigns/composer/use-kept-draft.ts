import { createDraft, deleteDraft, saveDraft } from '@heliograph/contract/campaigns/draft';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../../platform/call.ts';
import { problemFrom } from '../../../platform/problem.ts';
import { edit, isStarted, keepable, useDraft } from './draft.ts';

/** Time without another change after which a draft is saved, in milliseconds. */
const QUIET_MS = 1_200;

/** State of the server's copy. `elsewhere`: another machine changed it, and this draft became a separate one. */
export type Keeping = 'nothing' | 'waiting' | 'kept' | 'failed' | 'elsewhere';

/** Saves the draft on the server while it is written, one change after another. */
export function useKeptDraft(): Keeping {
  const [keeping, setKeeping] = useState<Keeping>('nothing');
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let saving = false;
    let last = useDraft.getState().kept ? JSON.stringify(keepable(useDraft.getState())) : '';
    let keptId = useDraft.getState().kept?.id;

    async function save() {
      const draft = useDraft.getState();
      if (saving || !isStarted(draft)) return;
      const content = keepable(draft);
      const now = JSON.stringify(content);
      if (now === last) return;
      saving = true;
      try {
        const { data } = await (draft.kept
          ? call(saveDraft, { params: { id: draft.kept.id }, body: { content, version: draft.kept.version } })
          : call(createDraft, { body: { content } }));
        // Meanwhile, the draft may have been sent, or another one opened.
        if (useDraft.getState().owner !== draft.owner || useDraft.getState().kept?.id !== draft.kept?.id) return;
        last = now;
        keptId = data.id;
        edit({ kept: { id: data.id, version: data.version } });
        setKeeping((before) => (before === 'elsewhere' ? before : 'kept'));
        void client.invalidateQueries({ queryKey: ['drafts'] });
      } catch (error) {
        const code = problemFrom(error)?.code;
        if (code === 'changed_meanwhile' || code === 'not_found') {
          edit({ kept: null });
          setKeeping('elsewhere');
        } else setKeeping('failed');
      } finally {
        saving = false;
        if (JSON.stringify(keepable(useDraft.getState())) !== last) later();
      }
    }
    function later() {
      clearTimeout(timer);
      timer = setTimeout(() => void save(), QUIET_MS);
    }
    const stop = useDraft.subscribe((draft) => {
      if (draft.kept && draft.kept.id !== keptId) {
        // Another draft was opened. The server's copy equals it.
        keptId = draft.kept.id;
        last = JSON.stringify(keepable(draft));
        setKeeping('kept');
        return;
      }
      if (!isStarted(draft)) {
        keptId = draft.kept?.id;
        last = '';
        setKeeping('nothing');
      } else if (JSON.stringify(keepable(draft)) !== last) {
        setKeeping((before) => (before === 'elsewhere' ? before : 'waiting'));
        later();
      }
    });
    later();
    return () => {
      clearTimeout(timer);
      stop();
      void save();
    };
  }, [client]);
  return keeping;
}

/** Deletes the server's copy of the present draft, after it was sent or discarded. */
export async function dropKept(): Promise<void> {
  const { kept } = useDraft.getState();
  if (kept) await call(deleteDraft, { params: { id: kept.id } }).catch(() => undefined);
}
