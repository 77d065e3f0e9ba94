import i18next from 'i18next';
import { loadCounters } from '../../platform/counters.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { toast } from '../../platform/toast.ts';

/** Asks for a file that is written in the background, and says that it will arrive in the bell. */
export async function askForFile(ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
    void loadCounters();
    await toast('success', i18next.t('report.export_asked'));
  } catch (error) {
    await toast('error', sentenceOf(error));
  }
}
