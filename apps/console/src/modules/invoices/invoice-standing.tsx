import { releaseInvoicePayment } from '@heliograph/contract/invoices/invoice-payment';
import { ActionIcon, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { labelOf } from '../../resource/columns.tsx';
import { openDialog } from '../../ui/dialogs.ts';
import { Fact } from '../../ui/fact.tsx';
import { Section } from '../../ui/section.tsx';
import type { Invoice } from './invoice-state.tsx';

const NAME = 'invoices';

/** Money of an invoice: what is open of it, and the payments that pay it. */
export function InvoiceStanding({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = (value: string) => format.money(value, invoice.currency);
  return (
    <Section title={labelOf(NAME, 'open')}>
      <Text fz={32} lh={1.1} fw={600} data-open>
        {money(invoice.open)}
      </Text>
      <SimpleGrid component="dl" cols={{ base: 2, xs: 4 }} spacing="sm" m={0}>
        <Fact label={labelOf(NAME, 'payable')}>{money(invoice.payable)}</Fact>
        <Fact label={labelOf(NAME, 'paid')}>{money(invoice.paid)}</Fact>
        <Fact label={labelOf(NAME, 'credited')}>{money(invoice.credited)}</Fact>
        {invoice.due_date && <Fact label={labelOf(NAME, 'due_date')}>{format.date(invoice.due_date)}</Fact>}
      </SimpleGrid>
      {invoice.payments.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('invoicing.no_payments')}
        </Text>
      ) : (
        <Stack gap={6} role="list" aria-label={t('invoicing.payments')}>
          {invoice.payments.map((payment) => (
            <Payment key={payment.id} invoice={invoice} payment={payment} />
          ))}
        </Stack>
      )}
    </Section>
  );
}

/** Payment of an invoice, with the button that takes it off. */
function Payment({ invoice, payment }: { invoice: Invoice; payment: Invoice['payments'][number] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const { busy, run } = useAction();
  const mayRelease = useMay(releaseInvoicePayment.permission) && invoice.sells;
  const release = () =>
    run(async () => {
      const { message } = await call(releaseInvoicePayment, {
        params: { id: invoice.id },
        body: { payment_id: payment.id },
      });
      await client.invalidateQueries({ queryKey: [NAME] });
      void toast('success', message ?? '');
    });
  return (
    <Group justify="space-between" gap="md" role="listitem" wrap="nowrap">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {[format.instant(payment.paid_at), payment.note].filter(Boolean).join(' · ')}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={500} style={{ whiteSpace: 'nowrap' }}>
          {format.money(payment.amount, invoice.currency)}
        </Text>
        {mayRelease && (
          <ActionIcon
            variant="subtle"
            color="gray"
            loading={busy}
            aria-label={t('invoicing.release')}
            title={t('invoicing.release')}
            onClick={() =>
              openDialog({
                title: t('invoicing.release_title'),
                text: t('invoicing.release_text'),
                confirm: t('invoicing.release'),
                onConfirm: release,
              })
            }
          >
            <IconX size={16} stroke={1.6} aria-hidden />
          </ActionIcon>
        )}
      </Group>
    </Group>
  );
}
