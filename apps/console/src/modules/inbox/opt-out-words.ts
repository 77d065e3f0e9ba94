import i18next from 'i18next';
import type { Format } from '../../platform/format.ts';
import type { Conversation } from './thread.tsx';

/** Sentence that says when and how a person opted out. */
export function optOutWords(
  { at, source, text, by }: NonNullable<Conversation['opted_out']>,
  format: Pick<Format, 'instant'>,
): string {
  const moment = format.instant(at);
  if (source === 'message') return i18next.t('inbox.out.message', { at: moment, text: text ?? '…' });
  return i18next.t(`inbox.out.${source}`, { at: moment, name: by ?? i18next.t('inbox.somebody') });
}
