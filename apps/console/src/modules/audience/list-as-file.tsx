import { exportNumbers } from '@heliograph/contract/contacts/list-job';
import { numberList } from '@heliograph/contract/contacts/number-list';
import { openDownload, queueDownloadNotify } from '@heliograph/contract/notifications/download';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { ReferenceSelect } from '../../resource/reference.tsx';

const POLL_MS = 1_000;

/** Returns a number list as the file that an export of it writes; undefined once `signal` aborts. */
async function fileOfList(id: number, signal: AbortSignal): Promise<File | undefined> {
  const { data: asked } = await call(exportNumbers, { params: { id }, body: {} });
  while (!signal.aborted) {
    const row = (await call(queueDownloadNotify, { signal })).find((each) => each.id === asked.id);
    if (row?.state === 'failed') return undefined;
    if (row?.state === 'done') {
      const { data } = await call(openDownload, { params: { id: asked.id } });
      const response = data && (await fetch(data.path, { signal }));
      return response?.ok ? new File([await response.blob()], data!.fileName, { type: 'text/csv' }) : undefined;
    }
    await new Promise((next) => setTimeout(next, POLL_MS));
  }
  return undefined;
}

/** Choice of a number list whose people become contacts: its file goes through the import like any other. */
export function ListAsFile({ corporationId, onFile }: { corporationId: number; onFile: (file: File) => void }) {
  const { t } = useTranslation();
  const may = [useMay(exportNumbers.permission ?? ''), useMay(numberList.permissions.index)].every(Boolean);
  const [chosen, setChosen] = useState<number | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  if (!may) return null;

  async function take(id: number | null) {
    running.current?.abort();
    setChosen(id);
    if (id === null) return;
    const asking = new AbortController();
    running.current = asking;
    const { signal } = asking;
    try {
      const file = await fileOfList(id, signal);
      if (signal.aborted) return;
      if (file) onFile(file);
      else void toast('error', t('contact_import.list_failed'));
    } catch (error) {
      if (!signal.aborted) void toast('error', sentenceOf(error));
    } finally {
      if (!signal.aborted) setChosen(null);
    }
  }

  return (
    <ReferenceSelect
      label={t('contact_import.from_list')}
      description={chosen === null ? t('contact_import.from_list_hint') : t('contact_import.list_reading')}
      to={numberList}
      within={{ corporation_id: corporationId }}
      value={chosen}
      onChange={(id) => void take(id)}
    />
  );
}
