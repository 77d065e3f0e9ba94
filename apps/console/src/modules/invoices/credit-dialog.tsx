import { creditInvoice, invoiceLines } from '@heliograph/contract/invoices/invoice';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { Alert, Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { toast } from '../../platform/toast.ts';
import { labelOf } from '../../resource/columns.tsx';
import type { Invoice } from './invoice-state.tsx';

/** Dialog that issues a credit note: for all that is left, or for amounts of lines. */
export function CreditDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { busy, run, errors, failure } = useAction('form');
  const [reason, setReason] = useState('');
  const [part, setPart] = useState(false);
  const [amounts, setAmounts] = useState<Record<number, string>>({});
  const wanted = Object.entries(amounts)
    .filter(([, amount]) => amount.trim() !== '')
    .map(([position, amount]) => ({ position: Number(position), amount }));
  const issue = () =>
    run(async () => {
      const body = part ? { reason, lines: wanted } : { reason };
      const { data, message } = await call(creditInvoice, { params: { id: invoice.id }, body });
      await client.invalidateQueries({ queryKey: ['invoices'] });
      void toast('success', message ?? '');
      onClose();
      void navigate({ to: `/invoices/${data.id}` });
    });
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={<Text fw={650}>{t('invoicing.credit_title', { number: invoice.number })}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        <Text size="sm">{t('invoicing.credit_text')}</Text>
        <TextInput
          label={labelOf('invoices', 'reason')}
          description={t('invoicing.credit_hint')}
          required
          maxLength={200}
          error={errors['reason']?.[0]}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label={t('invoicing.credit')}
          value={part ? 'part' : 'whole'}
          onChange={(value) => setPart(value === 'part')}
          data={[
            { value: 'whole', label: t('invoicing.credit_whole') },
            { value: 'part', label: t('invoicing.credit_part') },
          ]}
        />
        {part && (
          <Lines
            invoice={invoice}
            amounts={amounts}
            faults={wanted.map(({ position }, place) => [position, errors[`lines.${place}.amount`]?.[0]] as const)}
            onChange={(position, amount) => setAmounts((all) => ({ ...all, [position]: amount }))}
          />
        )}
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button loading={busy} disabled={reason.trim() === '' || (part && wanted.length === 0)} onClick={issue}>
            {t('invoicing.credit')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface LinesProps {
  invoice: Invoice;
  amounts: Record<number, string>;
  faults: readonly (readonly [position: number, fault: string | undefined])[];
  onChange: (position: number, amount: string) => void;
}

function Lines({ invoice, amounts, faults, onChange }: LinesProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const faultOf = new Map(faults);
  const { data } = useQuery({
    queryKey: ['invoices', 'creditable', invoice.id],
    queryFn: ({ signal }) => call(invoiceLines, { params: { id: invoice.id }, query: { limit: 200 }, signal }),
  });
  const left = (line: { amount: string; credited: string }) =>
    Math.abs(toThousandths(line.amount) - toThousandths(line.credited));
  return (
    <Stack gap="sm">
      {data?.data
        .filter((line) => left(line) > 0)
        .map((line) => (
          <TextInput
            key={line.id}
            label={line.description}
            description={t('invoicing.credit_left', {
              amount: format.money(fromThousandths(left(line)), invoice.currency),
            })}
            inputMode="decimal"
            error={faultOf.get(line.position)}
            value={amounts[line.position] ?? ''}
            onChange={(event) => onChange(line.position, event.currentTarget.value)}
          />
        ))}
    </Stack>
  );
}
