import { Text, Tooltip } from '@mantine/core';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';

/**
 * The sentence for a message's error code: a carrier's status, a receipt's code, or one of ours. Carriers have codes
 * of their own that no table knows; those are shown as they came.
 */
export function reasonOf(code: string): string {
  const t = i18next.t.bind(i18next);
  for (const key of [`carrier_error.${code}`, `reject_reason.${code}`, `errors.${code}`])
    if (i18next.exists(key)) return t(key);
  return t('carrier_error.other', { code });
}

/** A message's error code in words, the code itself in the tooltip. */
export function Reason({ code }: { code: string | null }) {
  useTranslation();
  if (!code)
    return (
      <Text span c="dimmed" inherit aria-hidden="true">
        –
      </Text>
    );
  return (
    <Tooltip label={code}>
      <span>{reasonOf(code)}</span>
    </Tooltip>
  );
}
