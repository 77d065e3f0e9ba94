import { letterOf } from '@heliograph/contract/campaigns/campaign-test';
import { ActionIcon, Group, Paper, Select, Stack, Text, Textarea } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { MomentInput } from '../../../resource/moment-input.tsx';
import { measure } from '../composer/measure.ts';
import { useSenders } from '../composer/sender-select.tsx';
import type { Composition } from '../composer/use-composition.ts';
import type { FurtherVariant } from './set-up.ts';

/** Returns the keys of the contact fields that texts may use. */
export const keysOf = ({ limits }: Composition): ReadonlySet<string> =>
  new Set(limits.contactFields.map(({ key }) => key));

/** Fields of one variant: its text with the number of parts, its sender, and the start of its sample. */
export function VariantFields(props: {
  /** Place from 1. */
  place: number;
  of: Composition;
  value: FurtherVariant;
  /** Faults that the server found, by field. */
  faults: Readonly<Record<string, string>>;
  onChange: (change: Partial<FurtherVariant>) => void;
  onRemove?: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const { place, of, value, faults, onChange } = props;
  const letter = letterOf(place);
  const { senders } = useSenders(value.sender_id, '', of.sender?.corporation_id);
  const fault = (field: string) => faults[`variants.${place - 1}.${field}`];
  const zone = of.limits.timezone ?? 'UTC';
  const { parts } = measure(value.content, { ...of.recipient?.values, ...of.ofContact }, of.draft.defaults, {
    ending: of.limits.ending,
    shortLinkBase: of.draft.short_links ? of.limits.shortLinkBase : undefined,
    keys: keysOf(of),
  }).segments;
  return (
    <Paper withBorder p="md" component="fieldset" m={0} miw={0}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Text component="legend" fw={600} size="sm" p={0}>
            {t('campaign_tests.variant', { letter })}
          </Text>
          {props.onRemove && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('campaign_tests.remove', { letter })}
              onClick={props.onRemove}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
        <Textarea
          label={t('campaign_tests.text', { letter })}
          description={value.content.trim() === '' ? undefined : t('campaign_tests.parts', { count: parts.length })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={1530}
          value={value.content}
          error={fault('content')}
          onChange={(event) => onChange({ content: event.currentTarget.value })}
        />
        <Group gap="md" align="flex-start">
          <Select
            label={t('campaign_tests.sender', { letter })}
            flex="1 1 200px"
            maw={320}
            searchable
            allowDeselect={false}
            data={senders.map((row) => ({ value: String(row.id), label: row.sender_id, disabled: !row.usable }))}
            value={value.sender_id === null ? String(of.draft.sender_id ?? '') : String(value.sender_id)}
            error={fault('sender_id')}
            onChange={(chosen) => chosen !== null && onChange({ sender_id: Number(chosen) })}
          />
          <Stack flex="1 1 240px" maw={320} gap={0}>
            <MomentInput
              ahead
              label={t('campaign_tests.start', { letter })}
              description={t('campaign_tests.start_hint', { zone: zone.replaceAll('_', ' ') })}
              zone={zone}
              value={value.start}
              error={fault('start')}
              onChange={(start) => onChange({ start })}
            />
          </Stack>
        </Group>
      </Stack>
    </Paper>
  );
}
