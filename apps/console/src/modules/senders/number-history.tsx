import { numberAssignments } from '@heliograph/contract/senders/number-assignment';
import { Button, Group, Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { Section } from '../../ui/section.tsx';
import { Part } from './number-assignments.tsx';
import { type Assignment, type Change, NumberChange } from './number-change.tsx';

/** Maximum periods that the section shows; the list of assigned numbers has all. */
const SHOWN = 20;

/** Section of a number's page: who has it and had it, and its change by the platform. */
export function NumberHistory({ sender }: { sender: { sender_id: string; corporation_id: number } }) {
  const { t } = useTranslation();
  const mayRead = useMay('number-assignments-index');
  const mayChange = useMay('number-assignments-edit');
  const [change, setChange] = useState<Change | null>(null);
  const number = sender.sender_id.replace(/^00/, '');
  const { data } = useQuery({
    queryKey: ['number-assignments', 'of', number],
    queryFn: ({ signal }) => call(numberAssignments, { query: { number, limit: SHOWN }, signal }),
    enabled: mayRead,
  });
  if (!data || data.data.length === 0) return null;
  const own = data.data.find((row) => row.until_at === null && row.corporation_id === sender.corporation_id);
  return (
    <Section
      title={t('number.title')}
      actions={
        mayChange &&
        own && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => setChange({ what: 'move', row: own })}>
              {t('number.move.action')}
            </Button>
            <Button size="xs" variant="default" onClick={() => setChange({ what: 'take', row: own })}>
              {t('number.take.action')}
            </Button>
          </Group>
        )
      }
    >
      <Timeline bulletSize={14} lineWidth={2} aria-label={t('number.title')}>
        {data.data.map((row) => (
          <Timeline.Item key={row.id} color={row.until_at === null ? 'teal' : 'gray'} title={<Period row={row} />}>
            <Why name={row.given_by_name} reason={row.reason} />
            {row.until_at !== null && <Why name={row.taken_by_name} reason={row.taken_reason} />}
          </Timeline.Item>
        ))}
      </Timeline>
      {change && <NumberChange change={change} onClose={() => setChange(null)} />}
    </Section>
  );
}

function Period({ row }: { row: Assignment }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {row.corporation_name}
        </Text>
        <Part shared={row.shared} />
      </Group>
      <Text size="xs" c="dimmed">
        {format.instant(row.given_at)} – {row.until_at === null ? t('number.present') : format.instant(row.until_at)}
      </Text>
    </>
  );
}

/** Person and reason of a change, if they are known. */
function Why({ name, reason }: { name: string | null; reason: string | null }) {
  if (!name && !reason) return null;
  return (
    <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
      {[name, reason && `“${reason}”`].filter(Boolean).join(' · ')}
    </Text>
  );
}
