import { priceOfNumber } from '@heliograph/contract/billing/rate-detail';
import { rateZone } from '@heliograph/contract/billing/rate-zone';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { ReferenceSelect } from '../../resource/reference.tsx';
import { Section } from '../../ui/section.tsx';
import { NumberWithPrefix } from './number-with-prefix.tsx';
import { useTierText } from './volume-tiers.tsx';

/** Form that shows the price of one part to a number today. */
export function PriceOfNumber({ account }: { account: { billing_account_id?: number } }) {
  const { t } = useTranslation();
  const format = useFormat();
  const tierText = useTierText();
  const mayZones = useMay(rateZone.permissions.index);
  const [number, setNumber] = useState('');
  const [zoneId, setZoneId] = useState<number | null>(null);
  const ask = useMutation({
    mutationFn: () =>
      call(priceOfNumber, {
        query: { ...account, number: number.trim(), ...(zoneId === null ? {} : { rate_zone_id: zoneId }) },
      }),
  });
  const answer = ask.data;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (number.trim()) ask.mutate();
  };
  const fault = ask.error && (problemFrom(ask.error)?.errors?.['number']?.[0] ?? sentenceOf(ask.error));
  return (
    <Section title={t('rate_details.price_title')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Group align="flex-start" gap="xs">
            <TextInput
              label={t('rate_details.number')}
              type="tel"
              maxLength={40}
              style={{ flex: '1 1 180px' }}
              value={number}
              error={fault}
              onChange={(event) => {
                setNumber(event.currentTarget.value);
                ask.reset();
              }}
            />
            {mayZones && (
              <ReferenceSelect
                label={t('resources.rates.fields.rate_zone_id')}
                placeholder="WEB"
                to={rateZone}
                style={{ flex: '1 1 120px' }}
                value={zoneId}
                onChange={(value) => {
                  setZoneId(value);
                  ask.reset();
                }}
              />
            )}
          </Group>
          <Group>
            <Button type="submit" variant="light" loading={ask.isPending} disabled={number.trim() === ''}>
              {t('rate_details.ask')}
            </Button>
          </Group>
        </Stack>
      </form>
      <div role="status" aria-live="polite">
        {answer && (
          <Stack gap={4}>
            <Text fw={600} size="xl">
              {format.money(answer.charge, answer.currency)}
            </Text>
            <Text size="sm">
              <NumberWithPrefix number={answer.number} prefix={answer.prefix} /> ·{' '}
              {answer.prefix === null
                ? t('rate_details.by_default', { zone: answer.rate_zone_name })
                : t('rate_details.by_prefix', { zone: answer.rate_zone_name, prefix: answer.prefix })}
            </Text>
            {answer.promotion !== null && <Text size="sm">{t('promotion.applies', { name: answer.promotion })}</Text>}
            {answer.volume_discount && (
              <Text size="sm">
                {t('volume_discount.promise', {
                  name: answer.volume_discount.name,
                  tiers: tierText(answer.volume_discount, answer.currency),
                  applies: t(`volume_discount.reach.${answer.volume_discount.applies}`),
                })}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              {t('rate_details.each_part')}
            </Text>
          </Stack>
        )}
      </div>
    </Section>
  );
}
