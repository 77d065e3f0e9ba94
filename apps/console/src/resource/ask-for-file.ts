import i18next from 'i18next';
import { loadCounters } from '../platform/counters.ts';
import { sentenceOf } from '../platform/problem.ts';
import { toast } from '../platform/toast.ts';

/** Requests a file that is written in the background. Tells the user that it will appear in the bell's menu. */
export async function askForFile(ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
    void loadCounters();
    await toast('success', i18next.t('report.export_asked'));
  } catch (error) {
    await toast('error', sentenceOf(error));
  }
}
