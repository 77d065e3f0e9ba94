import type { VolumeTerms } from '@heliograph/contract/billing/volume-discount';
import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { labelOf } from '../../resource/columns.tsx';
import { useFormState } from '../../resource/form.tsx';

type Tier = VolumeTerms['tiers'][number];

/** Returns the function that writes the tiers of a discount in words, such as “from 10,000 parts: 5 %”. */
export function useTierText() {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ measure, tiers }: Pick<VolumeTerms, 'measure' | 'tiers'>, currency: string) =>
    tiers
      .map(({ from, percent }) =>
        t(`volume_discount.tier_${measure}`, {
          from: measure === 'parts' ? format.integer(Number(from)) : format.money(from, currency),
          percent: percent.replace(/\.?0+$/, ''),
        }),
      )
      .join(' · ');
}

/** Field for the tiers of a discount, each with its beginning and its percentage. */
export function TiersField() {
  const { t } = useTranslation();
  const form = useFormState();
  const tiers = (form.values['tiers'] as Tier[] | null) ?? [];
  const set = (next: Tier[]) => form.set('tiers', next);
  const fault = (at: number, field: keyof Tier) => form.errors[`tiers.${at}.${field}`];
  return (
    <Fieldset legend={labelOf(form.name, 'tiers')} data-field="tiers">
      <Stack gap="sm">
        {tiers.map((tier, at) => (
          // Tiers have no id, so their position in the list identifies them.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Group key={at} gap="xs" align="flex-start" wrap="nowrap">
            {(['from', 'percent'] as const).map((field) => (
              <TextInput
                key={field}
                flex={1}
                label={t(`volume_discount.${field}`)}
                inputMode="decimal"
                error={fault(at, field)}
                value={tier[field]}
                onChange={(event) => {
                  const text = event.currentTarget.value;
                  set(tiers.map((each, place) => (place === at ? { ...each, [field]: text } : each)));
                }}
              />
            ))}
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={28}
              aria-label={t('volume_discount.remove', { place: at + 1 })}
              disabled={tiers.length === 1}
              onClick={() => set(tiers.filter((_, place) => place !== at))}
            >
              <IconTrash size={16} stroke={1.6} />
            </ActionIcon>
          </Group>
        ))}
        {form.errors['tiers'] && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {form.errors['tiers']}
          </Text>
        )}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} stroke={1.6} />}
            onClick={() => set([...tiers, { from: '', percent: '' }])}
          >
            {t('volume_discount.add')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
