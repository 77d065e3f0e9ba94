import type { BodyInput, ReplyOf } from '@heliograph/contract/kernel/operation';
import { testBind } from '@heliograph/contract/links/link';
import { Alert, Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed, IconCircleX, IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useFormState } from '../../resource/form.tsx';
import type { LinkRow } from './link-feed.ts';
import { faultWords } from './link-state.tsx';

type Result = ReplyOf<typeof testBind>['data'];
type Attempt = BodyInput<typeof testBind>;

const ICONS = {
  done: <IconCircleCheck size={20} color="var(--mantine-color-teal-6)" aria-hidden />,
  failed: <IconCircleX size={20} color="var(--mantine-color-red-6)" aria-hidden />,
  skipped: <IconCircleDashed size={20} color="var(--mantine-color-gray-5)" aria-hidden />,
} as const;

/** Steps of the test, in their order. */
function Steps({ result, http = false }: { result: Result; http?: boolean }) {
  const { t } = useTranslation();
  const steps = result.steps.filter(({ step }) => !http || step !== 'bind');
  const [done, failed] = http
    ? (['link_http_words.test_done', 'link_http_words.test_failed'] as const)
    : (['link.test_bound', 'link.test_failed'] as const);
  return (
    <Stack gap="sm">
      <Alert color={result.bound ? 'teal' : 'red'} variant="light" role="status">
        {t(result.bound ? done : failed)}
      </Alert>
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map(({ step, outcome, code, detail, milliseconds }) => (
          <Group component="li" key={step} gap="sm" wrap="nowrap" align="flex-start">
            {ICONS[outcome]}
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={600}>
                {t(`bind_step.${step}`)}
              </Text>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {code === null
                  ? [
                      detail || t(`bind_outcome.${outcome}`),
                      outcome === 'done' && t('link.milliseconds', { n: milliseconds }),
                    ]
                      .filter(Boolean)
                      .join(' · ')
                  : faultWords(code)}
              </Text>
            </div>
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}

const attemptOf = (row: LinkRow): Attempt => ({
  link_id: row.id,
  password: null,
  protocol: row.protocol,
  host: row.host,
  port: row.port,
  tls: row.tls,
  tls_ca: row.tls_ca,
  tls_verify_name: row.tls_verify_name,
  system_id: row.system_id,
  system_type: row.system_type,
  bind_mode: row.bind_mode,
});

/** Dialog that tests the saved settings of a link as soon as it opens. */
export function BindTest({ row, onClose }: { row: LinkRow; onClose: () => void }) {
  const { t } = useTranslation();
  const test = useQuery({
    queryKey: ['bind-test', row.id],
    queryFn: ({ signal }) => call(testBind, { body: attemptOf(row), signal }),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{`${t('link.test_title')} · ${row.name}`}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack>
        {test.isFetching ? (
          <Group gap="sm" role="status">
            <Loader size="sm" />
            <Text size="sm">{t('link.testing')}</Text>
          </Group>
        ) : test.error ? (
          <Alert color="red" role="alert">
            {sentenceOf(test.error)}
          </Alert>
        ) : (
          test.data && <Steps result={test.data.data} http={row.protocol === 'http'} />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" loading={test.isFetching} onClick={() => void test.refetch()}>
            {t('actions.retry')}
          </Button>
          <Button onClick={onClose}>{t('actions.close')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Button that tests the settings in the form before they are saved. */
export function FormBindTest() {
  const { t } = useTranslation();
  const { values, row } = useFormState();
  const http = values['protocol'] === 'http';
  const [testing, setTesting] = useState(false);
  const [result, setResult] = useState<Result | string | null>(null);
  async function test() {
    setTesting(true);
    setResult(null);
    const wanted = Object.fromEntries(Object.keys(testBind.body.shape).map((field) => [field, values[field]]));
    const body = { ...wanted, password: values.password || null, link_id: (row?.id as number | undefined) ?? null };
    try {
      setResult((await call(testBind, { body: body as Attempt })).data);
    } catch (error) {
      setResult(sentenceOf(error));
    } finally {
      setTesting(false);
    }
  }
  const complete = testBind.body.safeParse({ ...values, password: values.password || null, link_id: null }).success;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed" maw={320}>
          {t(http ? 'link_http_words.test_hint' : 'link.test_hint')}
        </Text>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} stroke={1.6} aria-hidden />}
          disabled={!complete}
          loading={testing}
          onClick={() => void test()}
        >
          {t(http ? 'link_http_words.test' : 'link.test')}
        </Button>
      </Group>
      {typeof result === 'string' ? (
        <Alert color="red" role="alert">
          {result}
        </Alert>
      ) : (
        result && <Steps result={result} http={http} />
      )}
    </Stack>
  );
}
