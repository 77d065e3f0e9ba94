import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { feeOf } from '@heliograph/contract/top-ups/fee';
import { getTopUp, makeTopUp, paymentMethods } from '@heliograph/contract/top-ups/top-up';
import { Alert, Badge, Button, Group, Loader, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';

type Method = ReplyOf<typeof paymentMethods>['data'][number];

const LOOK_MS = 400;
/** Looks for the provider's page, about half a minute. */
const LOOKS = 75;

interface TopUpDialogProps {
  account: { id: number; name: string; currency: string };
  onClose: () => void;
}

/** Dialog that asks for the amount and the payment method of a top-up, and leads to the provider's page. */
export function TopUpDialog({ account, onClose }: TopUpDialogProps) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey: ['payment-methods', account.id],
    queryFn: ({ signal }) => call(paymentMethods, { params: { id: account.id }, signal }),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={650}>{t('top_up.title', { name: account.name })}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {error ? (
        <Alert color="red">{t('top_up.methods_failed')}</Alert>
      ) : !data ? (
        <Loader role="status" aria-label={t('common.loading')} />
      ) : data.data.length === 0 ? (
        <Text size="sm">{t('top_up.no_methods')}</Text>
      ) : (
        <Choice account={account} methods={data.data} onClose={onClose} />
      )}
    </Modal>
  );
}

/** Returns what a customer pays for an amount; null while the amount is no number. */
function costOf(method: Method, amount: string): { fee: string; total: string } | null {
  try {
    const terms = { fee_percent: toThousandths(method.fee_percent), fee_fixed: toThousandths(method.fee_fixed) };
    const { fee, total } = feeOf(toThousandths(amount.trim()), { ...method, ...terms });
    return { fee: fromThousandths(fee), total: fromThousandths(total) };
  } catch {
    return null;
  }
}

function Choice({ account, methods, onClose }: TopUpDialogProps & { methods: readonly Method[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const [id, setId] = useState(String(methods[0]!.id));
  const [amount, setAmount] = useState('');
  const { busy, run, errors, failure, fault } = useAction('form');
  // One reference for this dialog: a second click begins no second top-up.
  const reference = useRef({ of: '', value: '' });
  const method = methods.find((each) => String(each.id) === id)!;
  const cost = costOf(method, amount);

  const begin = () =>
    run(async () => {
      const of = `${id} ${amount.trim()}`;
      if (reference.current.of !== of) reference.current = { of, value: crypto.randomUUID() };
      const { data } = await call(makeTopUp, {
        body: {
          billing_account_id: account.id,
          merchant_account_id: method.id,
          amount: amount.trim(),
          client_reference: reference.current.value,
          origin: location.origin,
        },
      });
      const page = method.driver === 'bank_transfer' ? null : await pageOf(data.id);
      if (page === null) await navigate({ to: `/top-ups/${data.id}` });
      else location.assign(page);
    });

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void begin();
      }}
    >
      <Stack gap="md">
        <TextInput
          label={t('top_up.amount', { currency: account.currency })}
          description={t('top_up.limits', {
            minimum: format.money(method.minimum, method.currency),
            maximum: format.money(method.maximum, method.currency),
          })}
          inputMode="decimal"
          data-autofocus
          required
          value={amount}
          error={errors['amount']?.[0]}
          onChange={(event) => setAmount(event.currentTarget.value)}
        />
        <Radio.Group label={t('top_up.method')} value={id} onChange={setId}>
          <Stack gap="xs" mt={6}>
            {methods.map((each) => (
              <Radio key={each.id} value={String(each.id)} label={<MethodLabel method={each} />} />
            ))}
          </Stack>
        </Radio.Group>
        {cost && (
          <Stack gap={4}>
            {method.fee_payer === 'customer' && (
              <Line label={t('top_up.fee')} value={format.money(cost.fee, method.currency)} />
            )}
            <Line label={t('top_up.total')} value={format.money(cost.total, method.currency)} strong />
          </Stack>
        )}
        {failure && !errors['amount'] && <Alert color="red">{fault ?? failure}</Alert>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={!cost}>
            {t(method.driver === 'bank_transfer' ? 'top_up.show_instructions' : 'top_up.continue')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Waits until a worker has opened the provider's page. Returns its address, or null if it did not come. */
export async function pageOf(id: number): Promise<string | null> {
  for (let look = 0; look < LOOKS; look++) {
    const { checkout_url, state } = (await call(getTopUp, { params: { id } })).data;
    if (checkout_url !== null) return checkout_url;
    if (state !== 'created') return null;
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
  return null;
}

function MethodLabel({ method }: { method: Method }) {
  const { t } = useTranslation();
  return (
    <Group gap={8}>
      <Text size="sm">{method.name}</Text>
      {method.mode !== 'live' && (
        <Badge size="xs" variant="light" color="yellow">
          {t(`payment_mode.${method.mode}`)}
        </Badge>
      )}
    </Group>
  );
}

function Line({ label, value, strong = false }: { label: string; value: string; strong?: boolean }) {
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text size="sm" fw={strong ? 600 : 400}>
        {value}
      </Text>
    </Group>
  );
}
