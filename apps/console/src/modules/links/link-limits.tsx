import { linkLimits, setLinkLimits } from '@heliograph/contract/carrier-routes/carrier-route';
import { link } from '@heliograph/contract/links/link';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { Section } from '../../ui/section.tsx';

const FIELDS = ['commitment', 'cap'] as const;
type Draft = Record<(typeof FIELDS)[number], string>;

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text.replace(/[\s,.]/g, '')));
const textOf = (value: number | null): string => (value === null ? '' : String(value));

/** Parts a day that a link gets first, and at most, with those of today. */
export function LinkLimits({ id }: { id: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayEdit = useMay(link.permissions.edit);
  const [draft, setDraft] = useState<Draft | null>(null);
  const key = ['links', 'limits', id];
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(linkLimits, { params: { id }, signal }),
  });
  const save = useMutation({
    mutationFn: ({ commitment, cap }: Draft) =>
      call(setLinkLimits, { params: { id }, body: { commitment: numberOf(commitment), cap: numberOf(cap) } }),
    onSuccess: async ({ message }) => {
      setDraft(null);
      void toast('success', message ?? t('link_limits.title'));
      await queryClient.invalidateQueries({ queryKey: key });
    },
  });
  if (!data) return null;
  const { commitment, cap, used } = data.data;
  const faults = problemFrom(save.error)?.errors;
  const hasLimit = commitment !== null || cap !== null;
  return (
    <Section title={t('link_limits.title')}>
      {draft ? (
        <Group align="flex-start">
          {FIELDS.map((field) => (
            <TextInput
              key={field}
              label={t(`link_limits.${field}`)}
              description={t(`link_limits.${field}_hint`)}
              inputMode="numeric"
              error={faults?.[field]?.[0]}
              value={draft[field]}
              onChange={(event) => setDraft({ ...draft, [field]: event.currentTarget.value })}
            />
          ))}
          <Button mt={44} loading={save.isPending} onClick={() => save.mutate(draft)}>
            {t('link_limits.save')}
          </Button>
          {save.error && !faults && <Text c="var(--mantine-color-error)">{sentenceOf(save.error)}</Text>}
        </Group>
      ) : (
        <Group gap="lg">
          {!hasLimit && <Text size="sm">{t('link_limits.none')}</Text>}
          {commitment !== null && (
            <Text size="sm">
              {t('link_limits.commitment')}: {format.integer(commitment)}
            </Text>
          )}
          {cap !== null && (
            <Text size="sm">
              {t('link_limits.cap')}: {format.integer(cap)}
            </Text>
          )}
          {hasLimit && (
            <Text size="sm" c="dimmed">
              {t('link_limits.used', { used: format.integer(used) })}
            </Text>
          )}
          {mayEdit && (
            <Button
              variant="default"
              size="xs"
              onClick={() => setDraft({ commitment: textOf(commitment), cap: textOf(cap) })}
            >
              {t('link_limits.edit')}
            </Button>
          )}
        </Group>
      )}
    </Section>
  );
}
