import { applyCardUpload, discardCardUpload } from '@heliograph/contract/billing/rate-card';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { Alert, Anchor, Button, Checkbox, Group, Radio, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconFileSpreadsheet } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { openReport } from '../../platform/open-file.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { toast } from '../../platform/toast.ts';
import { readingText } from '../../resource/reading-choice.tsx';
import { Fact } from '../../ui/fact.tsx';
import classes from './card-result.module.css';
import { type Card, CardState } from './earlier-cards.tsx';
import { TryCard } from './price-trial.tsx';

const COUNTS = ['rows_read', 'rows_new', 'rows_changed', 'rows_same', 'rows_rejected', 'rates_missing'] as const;

/** Content of a card and its effect: counts, refused rows, the first valid rows, and the decision. */
export function CardResult({ card, again }: { card: Card; again: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const none = card.state === 'ready' && card.rows_read - card.rows_rejected === 0;
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {card.file_name}
        </Text>
        <CardState state={card.state} />
        <Text size="sm" c="dimmed">
          {card.price_plan_name}
        </Text>
      </Group>
      {card.error_code && (
        <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />}>
          {t([keyIn('errors', card.error_code), 'errors.internal_error'], card.error_params)}
        </Alert>
      )}
      {card.read_as && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {readingText(t, card.read_as)}
        </Text>
      )}
      {card.state === 'applied' && (
        <Alert color="teal" variant="light" role="status" icon={<IconCheck size={18} />}>
          {t('rate_card.applied', { plan: card.price_plan_name })}
        </Alert>
      )}
      {card.state !== 'failed' && (
        <SimpleGrid component="dl" cols={{ base: 2, xs: 3, md: 6 }} spacing="sm" m={0}>
          {COUNTS.map((count) => (
            <Fact key={count} label={t(`rate_card.counts.${count}`)}>
              {format.integer(card[count])}
            </Fact>
          ))}
        </SimpleGrid>
      )}
      {card.rows_rejected > 0 && <Faults card={card} />}
      {card.preview.length > 0 && card.state === 'ready' && <Preview card={card} />}
      {card.state === 'ready' && !none ? (
        <Decision card={card} />
      ) : (
        <Group>
          <Button variant="default" onClick={again}>
            {t('rate_card.again')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Table that scrolls on its own if it is too wide. */
function Scrolling(props: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={6}>
        {props.title}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide rows must be scrollable by keyboard */}
      <section className={classes.rows} tabIndex={0} aria-label={props.title}>
        <Table verticalSpacing={6} horizontalSpacing="sm" fz="sm">
          {props.children}
        </Table>
      </section>
    </div>
  );
}

function Faults({ card }: { card: Card }) {
  const { t } = useTranslation();
  const count = card.rows_rejected;
  const format = useFormat();
  return (
    <Stack gap="xs">
      <Alert color="orange" variant="light" role="alert" icon={<IconAlertTriangle size={18} />}>
        {t('rate_card.refused', { count, n: format.integer(count) })}{' '}
        {card.error_file && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            c="inherit"
            td="underline"
            onClick={() => void openReport(card.error_file!, `${card.file_name.replace(/\.[^.]*$/, '')}-errors`)}
          >
            <IconFileSpreadsheet size={14} style={{ verticalAlign: '-2px' }} aria-hidden /> {t('rate_card.report')}
          </Anchor>
        )}
      </Alert>
      <Scrolling title={t('rate_card.first_refused')}>
        <Table.Thead>
          <Table.Tr>
            {(['line', 'field', 'value', 'reason'] as const).map((name) => (
              <Table.Th key={name}>{t(`card_column.${name}`)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {card.faults.map((fault) => (
            <Table.Tr key={`${fault.line} ${fault.field}`}>
              <Table.Td>{format.integer(fault.line)}</Table.Td>
              <Table.Td>{t(`card_column.${fault.field}`)}</Table.Td>
              <Table.Td className={classes.value ?? ''}>{fault.value || '–'}</Table.Td>
              <Table.Td>{t(`card_fault.${fault.fault}`)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Scrolling>
    </Stack>
  );
}

function Preview({ card }: { card: Card }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Scrolling title={t('rate_card.first_good')}>
      <Table.Thead>
        <Table.Tr>
          {(['line', 'zone', 'prefix', 'present', 'charge', 'starts_on', 'ends_on', 'enabled', 'change'] as const).map(
            (name) => (
              <Table.Th key={name} ta={name === 'present' || name === 'charge' ? 'right' : 'left'}>
                {t(`card_column.${name}`)}
              </Table.Th>
            ),
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {card.preview.map((row) => (
          <Table.Tr key={row.line}>
            <Table.Td>{format.integer(row.line)}</Table.Td>
            <Table.Td>{row.zone}</Table.Td>
            <Table.Td>{row.prefix}</Table.Td>
            <Table.Td ta="right">{row.present_charge === null ? '–' : format.money(row.present_charge)}</Table.Td>
            <Table.Td ta="right" fw={row.change === 'same' ? 400 : 600}>
              {format.money(row.charge)}
            </Table.Td>
            <Table.Td>{format.date(row.starts_on)}</Table.Td>
            <Table.Td>{row.ends_on === null ? '–' : format.date(row.ends_on)}</Table.Td>
            <Table.Td>{t(row.enabled ? 'common.yes' : 'common.no')}</Table.Td>
            <Table.Td>{t(`card_change.${row.change}`)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Scrolling>
  );
}

/** Buttons that put the card into force or discard it. */
function Decision({ card }: { card: Card }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [mode, setMode] = useState<'merge' | 'replace'>('merge');
  const [skip, setSkip] = useState(false);
  const [busy, setBusy] = useState<'apply' | 'discard' | null>(null);

  async function decide(what: 'apply' | 'discard') {
    setBusy(what);
    const params = { id: card.id };
    try {
      const reply =
        what === 'apply'
          ? await call(applyCardUpload, { params, body: { mode, skip_errors: skip } })
          : await call(discardCardUpload, { params });
      client.setQueryData(['card-uploads', 'one', card.id], reply);
    } catch (error) {
      void toast('error', sentenceOf(error));
    } finally {
      setBusy(null);
    }
  }

  return (
    <Stack gap="md">
      <Radio.Group label={t('rate_card.mode')} value={mode} onChange={(value) => setMode(value as typeof mode)}>
        <Stack gap={8} mt={6}>
          {(['merge', 'replace'] as const).map((value) => (
            <Radio
              key={value}
              value={value}
              label={t(`rate_card.${value}`)}
              description={t(`rate_card.${value}_hint`, { count: card.rates_missing })}
            />
          ))}
        </Stack>
      </Radio.Group>
      {card.rows_rejected > 0 && (
        <Checkbox
          checked={skip}
          onChange={(event) => setSkip(event.currentTarget.checked)}
          label={t('rate_card.skip')}
          description={t('rate_card.skip_hint')}
        />
      )}
      <Group gap="xs">
        <Button
          loading={busy === 'apply'}
          disabled={card.rows_rejected > 0 && !skip}
          onClick={() => void decide('apply')}
        >
          {t('rate_card.apply')}
        </Button>
        <TryCard planId={card.price_plan_id} cardId={card.id} />
        <Button variant="default" loading={busy === 'discard'} onClick={() => void decide('discard')}>
          {t('rate_card.discard')}
        </Button>
      </Group>
    </Stack>
  );
}
