import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { CONNECTIVITY_CHECKS, testConnectivity } from '@heliograph/contract/links/connectivity-test';
import {
  Alert,
  Button,
  Group,
  Loader,
  NumberInput,
  PasswordInput,
  Radio,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { IconCircleCheck, IconCircleDashed, IconCircleX, IconPlugConnected } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { CallError, sentenceOf } from '../../platform/problem.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';

type Result = ReplyOf<typeof testConnectivity>['data'];

const ICONS = {
  done: <IconCircleCheck size={20} color="var(--mantine-color-teal-6)" aria-hidden />,
  failed: <IconCircleX size={20} color="var(--mantine-color-red-6)" aria-hidden />,
  skipped: <IconCircleDashed size={20} color="var(--mantine-color-gray-5)" aria-hidden />,
} as const;

/** Form that tests whether a host, a web address or a carrier can be reached, and shows each step. */
export function ConnectivityTest() {
  const { t } = useTranslation();
  const [check, setCheck] = useState<(typeof CONNECTIVITY_CHECKS)[number]>('http');
  const [target, setTarget] = useState('');
  const [port, setPort] = useState<number | null>(null);
  const [tls, setTls] = useState(false);
  const [account, setAccount] = useState({ system_id: '', password: '' });
  const [testing, setTesting] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const isUrl = /^https?:\/\//i.test(target.trim());

  async function run(event: FormEvent) {
    event.preventDefault();
    setTesting(true);
    setFault(null);
    setResult(null);
    try {
      const body = { target, check, port: isUrl ? null : port, tls, ...(check === 'smpp' ? account : {}) };
      setResult((await call(testConnectivity, { body })).data);
    } catch (error) {
      setFault((error instanceof CallError && error.problem.errors?.['target']?.[0]) || sentenceOf(error));
    } finally {
      setTesting(false);
    }
  }

  return (
    <>
      <PageHeader title={t('menu.connectivity-test')} subtitle={t('connectivity.subtitle')} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title={t('connectivity.check')}>
          <form onSubmit={(event) => void run(event)}>
            <Stack gap="md">
              <Radio.Group
                aria-label={t('connectivity.check')}
                value={check}
                onChange={(value) => setCheck(value as typeof check)}
              >
                <Group gap="lg">
                  {CONNECTIVITY_CHECKS.map((value) => (
                    <Radio key={value} value={value} label={t(`connectivity.checks.${value}`)} />
                  ))}
                </Group>
              </Radio.Group>
              <TextInput
                label={t('connectivity.target')}
                description={t('connectivity.target_hint')}
                inputWrapperOrder={['label', 'input', 'error', 'description']}
                required
                maxLength={2000}
                autoCapitalize="none"
                spellCheck={false}
                error={fault}
                value={target}
                onChange={(event) => setTarget(event.currentTarget.value)}
              />
              {!isUrl && (
                <Group grow align="flex-start">
                  <NumberInput
                    label={t('connectivity.port')}
                    description={t('connectivity.port_hint')}
                    inputWrapperOrder={['label', 'input', 'error', 'description']}
                    min={1}
                    max={65_535}
                    allowDecimal={false}
                    hideControls
                    value={port ?? ''}
                    onChange={(value) => setPort(typeof value === 'number' ? value : null)}
                  />
                  <Switch
                    mt={32}
                    label={t('connectivity.tls')}
                    checked={tls}
                    onChange={(event) => setTls(event.currentTarget.checked)}
                  />
                </Group>
              )}
              {check === 'smpp' && <AccountInputs account={account} onChange={setAccount} />}
              <Group justify="flex-end">
                <Button
                  type="submit"
                  leftSection={<IconPlugConnected size={16} stroke={1.6} aria-hidden />}
                  loading={testing}
                >
                  {t('connectivity.run')}
                </Button>
              </Group>
            </Stack>
          </form>
        </Section>
        <Section title={t('connectivity.result')}>
          {testing ? (
            <Group gap="sm" role="status">
              <Loader size="sm" />
              <Text size="sm">{t('connectivity.running')}</Text>
            </Group>
          ) : result ? (
            <Steps result={result} />
          ) : (
            <Text size="sm" c="dimmed">
              {t('connectivity.before')}
            </Text>
          )}
        </Section>
      </SimpleGrid>
    </>
  );
}

interface Account {
  system_id: string;
  password: string;
}

function AccountInputs({ account, onChange }: { account: Account; onChange: (account: Account) => void }) {
  const { t } = useTranslation();
  return (
    <Group grow align="flex-start">
      <TextInput
        label={t('connectivity.system_id')}
        maxLength={15}
        autoComplete="off"
        value={account.system_id}
        onChange={(event) => onChange({ ...account, system_id: event.currentTarget.value })}
      />
      <PasswordInput
        label={t('connectivity.password')}
        maxLength={64}
        autoComplete="new-password"
        value={account.password}
        onChange={(event) => onChange({ ...account, password: event.currentTarget.value })}
      />
    </Group>
  );
}

function Steps({ result }: { result: Result }) {
  const { t } = useTranslation();
  const format = useFormat();
  const why = (code: string) => t([keyIn('connectivity.faults', code), 'connectivity.faults.other'], { code });
  return (
    <Stack gap="md">
      <Alert color={result.accessible ? 'teal' : 'red'} variant="light" role="status">
        <Text fw={650}>{t(result.accessible ? 'connectivity.accessible' : 'connectivity.not_accessible')}</Text>
      </Alert>
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {result.steps.map(({ step, outcome, code, detail, milliseconds }) => (
          <Group component="li" key={step} gap="sm" wrap="nowrap" align="flex-start">
            {ICONS[outcome]}
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={600}>
                {t(`connectivity.steps.${step}`)}
              </Text>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {[
                  code === null ? detail || t(`connectivity.outcomes.${outcome}`) : why(code),
                  outcome !== 'skipped' && `${format.integer(milliseconds)} ms`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </div>
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}
