import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { confirmHostKey, scheduledFile, testScheduledFile } from '@heliograph/contract/scheduled-files/scheduled-file';
import { Alert, Button, Code, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import type { ScheduledFileRow } from './scheduled-files.tsx';

type Result = ReplyOf<typeof testScheduledFile>['data'];

/** Dialog that tries a destination. A server whose key is new is shown with its fingerprint, for a person to confirm. */
export function TestDestination({ file, onClose }: { file: ScheduledFileRow; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { busy: confirming, run, failure } = useAction('form');
  const params = { id: file.id };
  const tried = useQuery({
    queryKey: [scheduledFile.name, 'test', file.id],
    queryFn: async () => (await call(testScheduledFile, { params })).data,
    // Each opening of the dialog tries again, and only then.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const busy = confirming || tried.isFetching;
  const result: Result | null = tried.isFetching ? null : (tried.data ?? null);
  const problem = failure ?? (tried.error ? sentenceOf(tried.error) : null);

  const confirm = (host_key: string) =>
    run(async () => {
      await call(confirmHostKey, { params, body: { host_key } });
      await client.invalidateQueries({ queryKey: [scheduledFile.name] });
    });

  const unknown = result?.fault === 'host_key_unconfirmed' || result?.fault === 'host_key_changed';
  return (
    <Modal opened onClose={onClose} title={<Text fw={600}>{`${t('scheduled_file.test')} · ${file.name}`}</Text>}>
      <Stack gap="md">
        {tried.isFetching && (
          <Group gap="xs">
            <Loader size="xs" />
            <Text size="sm">{t('scheduled_file.testing')}</Text>
          </Group>
        )}
        {problem && (
          <Alert variant="light" color="red">
            {problem}
          </Alert>
        )}
        {result && (
          <Alert variant="light" color={result.fault === null ? 'teal' : unknown ? 'yellow' : 'red'}>
            {result.fault === null ? t('scheduled_file.works') : t(`file_fault.${result.fault}`)}
          </Alert>
        )}
        {result?.host_key && unknown && (
          <>
            <Text size="sm">{t('scheduled_file.confirm_about')}</Text>
            <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {result.host_key}
            </Code>
          </>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('actions.close')}
          </Button>
          {result?.host_key && unknown ? (
            <Button loading={busy} onClick={() => void confirm(result.host_key!)}>
              {t('scheduled_file.confirm')}
            </Button>
          ) : (
            <Button loading={busy} onClick={() => void tried.refetch()}>
              {t('scheduled_file.test')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
