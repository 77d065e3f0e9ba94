import { callbackAddresses, renewCallbackAddresses } from '@heliograph/contract/links/http-calls';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { openDialog } from '../../ui/dialogs.ts';
import { Fact } from '../../ui/fact.tsx';
import { Section } from '../../ui/section.tsx';
import type { LinkRow } from './link-feed.ts';

/** Addresses that the carrier of a link over HTTP calls, for the person who gives them to the carrier. */
export function CallbackAddresses({ row }: { row: LinkRow }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const queryKey = ['callback-addresses', row.id];
  const params = { id: row.id };
  const found = useQuery({ queryKey, queryFn: ({ signal }) => call(callbackAddresses, { params, signal }) });
  const renew = useMutation({
    mutationFn: () => call(renewCallbackAddresses, { params }),
    onSuccess: (reply) => client.setQueryData(queryKey, reply),
  });
  const ask = () =>
    openDialog({
      title: t('link_http_words.renew_title'),
      text: t('link_http_words.renew_text'),
      confirm: t('link_http_words.renew'),
      danger: true,
      onConfirm: () => renew.mutate(),
    });
  const error = found.error ?? renew.error;
  return (
    <Section
      title={t('link_http_words.addresses')}
      actions={
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconRefresh size={14} stroke={1.6} aria-hidden />}
          loading={renew.isPending}
          onClick={ask}
        >
          {t('link_http_words.renew')}
        </Button>
      }
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('link_http_words.addresses_hint')}
        </Text>
        {error && <Alert color="red">{sentenceOf(error)}</Alert>}
        {found.data && (
          <Stack component="dl" gap="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            <Fact label={t('link_http_words.for_receipts')}>{found.data.data.receipts}</Fact>
            <Fact label={t('link_http_words.for_replies')}>{found.data.data.replies}</Fact>
          </Stack>
        )}
      </Stack>
    </Section>
  );
}
