import {
  applyCarrierCard,
  carrierCard,
  carrierCardChanges,
  RATE_CHANGES,
} from '@heliograph/contract/carrier-costs/carrier-card';
import { carrierRate } from '@heliograph/contract/carrier-costs/carrier-rate';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Alert, Button, Chip, Group, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { LoadError } from '../../resource/load-error.tsx';
import { FormDrawer, FormFoot, FormFrame } from '../../ui/form-frame.tsx';
import type { CarrierCard } from './carrier-cards.tsx';

type Changes = ReplyOf<typeof carrierCardChanges>;
type Change = (typeof RATE_CHANGES)[number];

const SHOWN = 100;
const COLORS: Readonly<Record<Change, string>> = {
  dearer: 'red',
  removed: 'orange',
  changed: 'yellow',
  new: 'blue',
  cheaper: 'teal',
  same: 'gray',
};

/** Drawer that compares a card with the one before it and applies a draft. */
export function CardChanges({ card, onClose }: { card: CarrierCard; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayApply = useMay(applyCarrierCard.permission) && card.state === 'draft';
  const form = useRef<HTMLFormElement>(null);
  const [change, setChange] = useState<Change | null>(null);
  const params = { id: card.id };
  const changes = useQuery({
    queryKey: [carrierCard.name, 'changes', card.id, change],
    queryFn: ({ signal }) =>
      call(carrierCardChanges, { params, query: { limit: SHOWN, page: 1, ...(change && { change }) }, signal }),
  });
  const apply = useMutation({
    mutationFn: () => call(applyCarrierCard, { params }),
    onSuccess: ({ data }) => {
      void toast('success', t('carrier_cards.applied', { name: data.name, from: format.instant(data.from_at!) }));
      void queryClient.invalidateQueries({ queryKey: [carrierCard.name] });
      void queryClient.invalidateQueries({ queryKey: [carrierRate.name] });
      onClose();
    },
  });
  const fault =
    apply.error && (Object.values(problemFrom(apply.error)?.errors ?? {})[0]?.[0] ?? sentenceOf(apply.error));
  return (
    <FormDrawer title={t('carrier_cards.changes', { name: card.name })} size={720} onClose={onClose}>
      <FormFrame
        form={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (mayApply) apply.mutate();
        }}
      >
        <Stack gap="md" pb="lg">
          {changes.error && <LoadError error={changes.error} retry={() => void changes.refetch()} />}
          {changes.data && <Compared {...{ card, change, setChange }} changes={changes.data} />}
          {fault && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {fault}
            </Text>
          )}
        </Stack>
        {mayApply && (
          <FormFoot>
            <Button type="submit" loading={apply.isPending} disabled={!changes.data || card.rates === 0}>
              {t('carrier_cards.apply')}
            </Button>
          </FormFoot>
        )}
      </FormFrame>
    </FormDrawer>
  );
}

function Compared(props: {
  card: CarrierCard;
  changes: Changes;
  change: Change | null;
  setChange: (change: Change | null) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { card, changes, change, setChange } = props;
  const { present, counts, data } = changes;
  return (
    <>
      <Text size="sm">
        {present
          ? t('carrier_cards.compared', { name: present.name, version: present.version })
          : t('carrier_cards.first_card')}{' '}
        {t('carrier_cards.starts', { date: format.date(card.starts_on) })}
      </Text>
      {card.rates === 0 && (
        <Alert color="orange" variant="light">
          {t('errors.carrier_card_empty')}
        </Alert>
      )}
      <Group gap={6} role="group" aria-label={t('carrier_cards.filter')}>
        {RATE_CHANGES.map((each) => (
          <Chip
            key={each}
            size="xs"
            color={COLORS[each]}
            checked={change === each}
            disabled={counts[each] === 0}
            onChange={(on) => setChange(on ? each : null)}
          >
            {`${t(`rate_change.${each}`)} · ${format.integer(counts[each])}`}
          </Chip>
        ))}
      </Group>
      {data.length > 0 && (
        <Table.ScrollContainer minWidth={480}>
          <Table verticalSpacing={6} fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('carrier_cards.place')}</Table.Th>
                <Table.Th>{t('carrier_cards.change')}</Table.Th>
                <Table.Th ta="right">{t('carrier_cards.present')}</Table.Th>
                <Table.Th ta="right">{t('carrier_cards.amount')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.map((row) => (
                <Table.Tr key={`${row.prefix} ${row.mcc} ${row.mnc} ${row.class} ${row.sender_kind}`}>
                  <Table.Td>
                    {row.prefix ?? `${row.mcc} ${row.mnc ?? ''}`}
                    {row.class && ` · ${t(`message_class.${row.class}`)}`}
                    {row.sender_kind && ` · ${t(`sender_kind.${row.sender_kind}`)}`}
                  </Table.Td>
                  <Table.Td>{t(`rate_change.${row.change}`)}</Table.Td>
                  <Table.Td ta="right">{row.present_amount ?? '–'}</Table.Td>
                  <Table.Td ta="right" fw={600}>
                    {row.amount ?? '–'}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {data.length === SHOWN && (
        <Text size="xs" c="dimmed">
          {t('carrier_cards.first_rows', { count: SHOWN })}
        </Text>
      )}
    </>
  );
}
