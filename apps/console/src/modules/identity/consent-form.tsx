import { CONSENT_HOURS } from '@heliograph/contract/identity/support';
import { Alert, Button, Group, NativeSelect, Text } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface ConsentFormProps {
  busy: boolean;
  /** Gives consent for some hours; null for a person who may not. */
  onGive: ((hours: number) => void) | null;
  /** Withdraws the consent; null without one, and for a person who may not. */
  onWithdraw: (() => void) | null;
}

/** Gives and withdraws the consent that support sees a console. */
export function ConsentForm({ busy, onGive, onWithdraw }: ConsentFormProps) {
  const { t } = useTranslation();
  const [hours, setHours] = useState<number>(CONSENT_HOURS[0]);
  return (
    <Group gap="xs" align="flex-end">
      {onGive && (
        <>
          <NativeSelect
            size="xs"
            label={t('support.hours_label')}
            value={hours}
            onChange={(event) => setHours(Number(event.currentTarget.value))}
            data={CONSENT_HOURS.map((each) => ({ value: String(each), label: t('support.hours', { count: each }) }))}
          />
          <Button variant="default" size="xs" loading={busy} onClick={() => onGive(hours)}>
            {t('support.give')}
          </Button>
        </>
      )}
      {onWithdraw && (
        <Button variant="default" size="xs" c="var(--mantine-color-error)" loading={busy} onClick={onWithdraw}>
          {t('support.withdraw')}
        </Button>
      )}
    </Group>
  );
}

/** Request of support for consent, with its reason. */
export function SupportRequest(props: {
  request: { by_name: string; reason: string };
  busy: boolean;
  /** Refuses it; null for a person who may not decide. */
  onRefuse: (() => void) | null;
}) {
  const { t } = useTranslation();
  return (
    <Alert color="orange" icon={<IconUserQuestion size={20} stroke={1.6} aria-hidden />}>
      <Text size="sm">{t('support.request', { by: props.request.by_name, reason: props.request.reason })}</Text>
      {props.onRefuse && (
        <Button variant="default" size="xs" mt="xs" loading={props.busy} onClick={props.onRefuse}>
          {t('support.refuse')}
        </Button>
      )}
    </Alert>
  );
}
