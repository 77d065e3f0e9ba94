import type { GuardSignal } from '@heliograph/contract/verify/verification';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';

/** Returns a function that writes a signal of the guard as a sentence, with its figure and its limit. */
export function useSignalWords(): (signal: GuardSignal) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ signal, figure, limit, reason }) =>
    t(`verify_signal.${signal}`, {
      figure: figure === null ? '' : format.integer(figure),
      limit: limit === null ? '' : format.integer(limit),
      reason: reason ?? '–',
    });
}
