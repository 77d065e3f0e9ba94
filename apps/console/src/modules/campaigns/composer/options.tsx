import { billingAccount } from '@heliograph/contract/billing/billing-account';
import type { MergeField } from '@heliograph/contract/kernel/merge-fields';
import { NumberInput, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../platform/call.ts';
import { useMay } from '../../../platform/session.ts';
import { type Draft, edit } from './draft.ts';

/** What the corporation's billing account allows, where the user may read it; else what the contract allows. */
export function useSendingLimits(corporationId: number | undefined): { validity: number; flash: boolean } {
  const allowed = useMay('billing-accounts-index');
  const accounts = useQuery({
    queryKey: ['composer', 'billing-account', corporationId],
    queryFn: ({ signal }) =>
      call(billingAccount.list, { query: { corporation_id: corporationId, enabled: 'true', per_page: 1 }, signal }),
    enabled: allowed && corporationId !== undefined,
    staleTime: 60_000,
  });
  const account = accounts.data?.data[0];
  return { validity: account?.sms_validity ?? 12, flash: account?.flash_allowed ?? true };
}

/** How a message is sent, and what stands in for values that a recipient lacks. */
export function Options(props: {
  draft: Draft;
  fields: readonly MergeField[];
  limits: { validity: number; flash: boolean };
  errors: Readonly<Record<string, string>>;
}) {
  const { t } = useTranslation();
  const { draft, fields, limits, errors } = props;
  return (
    <Stack gap="lg">
      {fields.length > 0 && (
        <Stack gap="xs">
          <div>
            <Text size="sm" fw={500}>
              {t('compose.defaults')}
            </Text>
            <Text size="xs" c="dimmed">
              {t('compose.defaults_hint')}
            </Text>
          </div>
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
            {fields.map((field) => (
              <TextInput
                key={field}
                label={`{${field}}`}
                size="sm"
                maxLength={300}
                disabled={draft.skip_default_param}
                error={errors[`defaults.${field}`]}
                value={draft.defaults[field] ?? ''}
                onChange={(event) => edit({ defaults: { ...draft.defaults, [field]: event.currentTarget.value } })}
              />
            ))}
          </SimpleGrid>
          <Switch
            label={t('compose.skip')}
            description={t('compose.skip_hint')}
            checked={draft.skip_default_param}
            onChange={(event) => edit({ skip_default_param: event.currentTarget.checked })}
          />
        </Stack>
      )}
      <NumberInput
        label={t('compose.validity')}
        description={t('compose.validity_hint', { count: limits.validity })}
        maw={260}
        min={1}
        max={limits.validity}
        clampBehavior="blur"
        allowDecimal={false}
        suffix={t('compose.hours_suffix')}
        error={errors['sms_validity']}
        value={Math.min(draft.sms_validity, limits.validity)}
        onChange={(value) => typeof value === 'number' && edit({ sms_validity: value })}
      />
      {limits.flash && (
        <Switch
          label={t('compose.flash')}
          description={t('compose.flash_hint')}
          error={errors['flash']}
          checked={draft.flash}
          onChange={(event) => edit({ flash: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}
