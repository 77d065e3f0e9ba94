import { countSegment, sampleSegment } from '@heliograph/contract/audience/segment';
import { type SegmentRule, segmentRule } from '@heliograph/contract/audience/segment-rule';
import { Alert, List, Paper, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { useExplain } from './segment-voice.ts';

/** Pause after a change before the contacts are counted, in milliseconds. */
const PAUSE_MS = 500;

/** Result of a rule: its sentence, the number of contacts that it finds now, and a sample. */
export function SegmentResult({ corporationId, rule }: { corporationId: number; rule: SegmentRule }) {
  const { t } = useTranslation();
  const format = useFormat();
  const explain = useExplain();
  const seesContacts = useMay('contacts-index');
  const may = useMay(countSegment.permission) && seesContacts;
  const [asked] = useDebouncedValue(JSON.stringify(rule), PAUSE_MS);
  const parsed = segmentRule.safeParse(JSON.parse(asked));
  const body = { corporation_id: corporationId, rule: JSON.parse(asked) as SegmentRule };
  const enabled = may && parsed.success;
  const counted = useQuery({
    queryKey: ['segments', 'count', corporationId, asked],
    queryFn: ({ signal }) => call(countSegment, { body, signal }),
    enabled,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const sample = useQuery({
    queryKey: ['segments', 'sample', corporationId, asked],
    queryFn: ({ signal }) => call(sampleSegment, { body, signal }),
    enabled,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const data = counted.data?.data;
  if (!parsed.success)
    return (
      <Text size="sm" c="dimmed">
        {t('segments.incomplete')}
      </Text>
    );
  if (!may) return null;
  const people = sample.data?.data ?? [];
  return (
    <Paper withBorder p="sm" component="section" aria-label={t('segments.result')}>
      <Stack gap="xs">
        <Text fw={600} role="status" aria-live="polite">
          {data
            ? t('segments.count', {
                count: data.contacts,
                n: format.integer(data.contacts),
                all: format.integer(data.all),
              })
            : counted.error
              ? t('segments.count_failed')
              : t('segments.counting')}
        </Text>
        {counted.error && (
          <Text size="sm" c="red">
            {sentenceOf(counted.error)}
          </Text>
        )}
        {data && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {explain(body.rule, data.names)}
          </Text>
        )}
        {data && data.lacks.length > 0 && <Alert color="orange">{t('segments.lacks')}</Alert>}
        {data && (
          <details>
            <summary>{t('segments.sample')}</summary>
            {people.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t('segments.no_sample')}
              </Text>
            ) : (
              <List size="sm" listStyleType="none">
                {people.map(({ id, number, name, tags }) => (
                  <List.Item key={id}>{[number, name, tags.join(', ')].filter(Boolean).join(' · ')}</List.Item>
                ))}
              </List>
            )}
          </details>
        )}
      </Stack>
    </Paper>
  );
}
