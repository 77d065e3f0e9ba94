import { toThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import {
  changeAutomaticTopUp,
  consentValues,
  KEEPS_CARDS,
  startAutomaticTopUp,
} from '@heliograph/contract/top-ups/automatic-top-up';
import { paymentMethods } from '@heliograph/contract/top-ups/top-up';
import {
  Alert,
  Button,
  Checkbox,
  Group,
  Loader,
  Modal,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { readAgain } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import type { Automatic } from './automatic-top-up.tsx';
import { pageOf } from './top-up-dialog.tsx';

type Method = ReplyOf<typeof paymentMethods>['data'][number];

const AMOUNTS = ['threshold', 'amount', 'day_limit', 'month_limit'] as const;
const MINUTES = [15, 60, 240, 1_440, 10_080] as const;
const USUAL_MINUTES = 60;

interface DialogProps {
  account: { id: number; name: string; currency: string };
  /** Automatic top-up whose terms change; null to set one up. */
  plan: Automatic | null;
  onClose: () => void;
}

/** Dialog that asks for the terms of an automatic top-up and for the consent to them. */
export function AutomaticDialog({ account, plan, onClose }: DialogProps) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey: ['payment-methods', account.id],
    queryFn: ({ signal }) => call(paymentMethods, { params: { id: account.id }, signal }),
  });
  const methods = data?.data.filter(
    ({ id, driver }) => KEEPS_CARDS.includes(driver) && (plan === null || id === plan.merchant_account_id),
  );
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={
        <Text fw={650}>
          {t(plan ? 'automatic_top_up.change_title' : 'automatic_top_up.setup_title', { name: account.name })}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {error ? (
        <Alert color="red">{t('top_up.methods_failed')}</Alert>
      ) : !methods ? (
        <Loader role="status" aria-label={t('common.loading')} />
      ) : methods.length === 0 ? (
        <Text size="sm">{t('automatic_top_up.needs_card')}</Text>
      ) : (
        <Terms account={account} plan={plan} methods={methods} onClose={onClose} />
      )}
    </Modal>
  );
}

function Terms({ account, plan, methods, onClose }: DialogProps & { methods: readonly Method[] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [id, setId] = useState(String(methods[0]!.id));
  const [amounts, setAmounts] = useState(() => ({
    threshold: plan?.threshold ?? '',
    amount: plan?.amount ?? '',
    day_limit: plan?.day_limit ?? '',
    month_limit: plan?.month_limit ?? '',
  }));
  const [minutes, setMinutes] = useState(plan?.minutes_between ?? USUAL_MINUTES);
  const [agreed, setAgreed] = useState<string | null>(null);
  const { busy, run, errors, failure, fault } = useAction('form');
  const method = methods.find((each) => String(each.id) === id)!;
  const terms = { ...trimmed(amounts), minutes_between: minutes };
  const consent = sentenceOf(terms, method, account);
  const text = consent && t('automatic_top_up.consent', consent);

  const save = () =>
    run(async () => {
      const body = { ...terms, consent: text! };
      if (plan) {
        await call(changeAutomaticTopUp, { params: { id: account.id }, body });
        await readAgain(['billing-accounts']);
        void toast('success', t('automatic_top_up.changed', { name: account.name }));
        return onClose();
      }
      const { data } = await call(startAutomaticTopUp, {
        params: { id: account.id },
        body: { ...body, merchant_account_id: method.id, origin: location.origin },
      });
      const page = await pageOf(data.id);
      if (page === null) await navigate({ to: `/top-ups/${data.id}` });
      else location.assign(page);
    });

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t('automatic_top_up.needs_card')}</Text>
        {methods.length > 1 && (
          <Select
            label={t('top_up.method')}
            data={methods.map((each) => ({ value: String(each.id), label: each.name }))}
            value={id}
            allowDeselect={false}
            onChange={(value) => setId(value!)}
          />
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          {AMOUNTS.map((field) => (
            <TextInput
              key={field}
              label={t(`automatic_top_up.${field}`, { currency: account.currency })}
              inputMode="decimal"
              required
              value={amounts[field]}
              error={errors[field]?.[0]}
              onChange={(event) => setAmounts({ ...amounts, [field]: event.currentTarget.value })}
            />
          ))}
          <Select
            label={t('automatic_top_up.minutes_between')}
            data={[...new Set([...MINUTES, minutes])].map((value) => ({
              value: String(value),
              label: isUsual(value)
                ? t(`automatic_top_up.between_${value}`)
                : t('automatic_top_up.between_other', { minutes: String(value) }),
            }))}
            value={String(minutes)}
            allowDeselect={false}
            onChange={(value) => setMinutes(Number(value))}
          />
        </SimpleGrid>
        {text && (
          <Checkbox
            label={text}
            checked={agreed === text}
            error={errors['consent']?.[0]}
            onChange={(event) => setAgreed(event.currentTarget.checked ? text : null)}
          />
        )}
        {!plan && <Text size="sm">{t('automatic_top_up.first_payment')}</Text>}
        {failure && Object.keys(errors).length === 0 && <Alert color="red">{fault ?? failure}</Alert>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={!text || agreed !== text}>
            {t(plan ? 'automatic_top_up.agree' : 'automatic_top_up.continue')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const isUsual = (minutes: number): minutes is (typeof MINUTES)[number] =>
  (MINUTES as readonly number[]).includes(minutes);

const trimmed = (amounts: Record<(typeof AMOUNTS)[number], string>) => ({
  threshold: amounts.threshold.trim(),
  amount: amounts.amount.trim(),
  day_limit: amounts.day_limit.trim(),
  month_limit: amounts.month_limit.trim(),
});

/** Returns the values of the consent; null while an amount is missing or no number. */
function sentenceOf(
  terms: Parameters<typeof consentValues>[0],
  method: Method,
  account: { name: string },
): ReturnType<typeof consentValues> | null {
  try {
    const fee = { fee_percent: toThousandths(method.fee_percent), fee_fixed: toThousandths(method.fee_fixed) };
    return consentValues(terms, { ...method, ...fee }, account);
  } catch {
    return null;
  }
}
