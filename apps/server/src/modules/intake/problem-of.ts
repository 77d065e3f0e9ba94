import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { BusinessError } from '#platform/errors';
import { translate } from '#platform/text/i18n';

/** Describes in short why a submission was refused: the code, the field and an English sentence. */
export function problemOf(error: BusinessError): { code: string; field: string | null; detail: string } {
  const [field] = Object.entries(error.fields ?? {});
  const fault = field?.[1][0];
  const detail = fault
    ? translate('en', keyIn('validation', fault.key), fault.params ?? {})
    : translate('en', `errors.${error.code}`, error.params);
  return { code: error.code, field: field?.[0] ?? null, detail };
}
