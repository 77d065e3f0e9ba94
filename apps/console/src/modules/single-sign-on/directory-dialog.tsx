import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { endDirectory, showDirectory, startDirectory } from '@heliograph/contract/single-sign-on/directory';
import { identityProvider } from '@heliograph/contract/single-sign-on/identity-provider';
import { Alert, Button, Group, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { toast } from '../../platform/toast.ts';
import { Copied, Frame } from './provider-dialogs.tsx';

/** Dialog with the directory of a provider: its address and token, and what it has brought. */
export function DirectoryDialog({ id, editable, onClose }: { id: number; editable: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const { integer, instant } = useFormat();
  const client = useQueryClient();
  const { run, busy } = useAction();
  const [token, setToken] = useState<string | null>(null);
  const { data } = useQuery({
    queryKey: [identityProvider.name, 'directory', id],
    queryFn: ({ signal }) => call(showDirectory, { params: { id }, signal }),
    // The directory calls at any time, and no event tells of it.
    staleTime: 0,
  });
  const changed = (message: string) => {
    void toast('success', message);
    return client.invalidateQueries({ queryKey: [identityProvider.name, 'directory', id] });
  };
  const start = () =>
    void run(async () => {
      const { data: made, message } = await call(startDirectory, { params: { id } });
      setToken(made.token);
      await changed(message);
    });
  const end = () =>
    void run(async () => {
      const { message } = await call(endDirectory, { params: { id } });
      setToken(null);
      await changed(message);
    });
  const state = data?.data;
  return (
    <Frame title={t('sign_on.directory_title')} text={t('sign_on.directory_text')} onClose={onClose}>
      {state && (
        <>
          <Copied label={t('sign_on.directory_url')} value={state.url} />
          {token !== null && (
            <Alert color="yellow" title={t('sign_on.directory_token_once')}>
              <Copied label={t('sign_on.directory_token')} value={token} />
            </Alert>
          )}
          <Text size="sm">
            {state.prefix === null
              ? t('sign_on.directory_none')
              : t(state.called_at === null ? 'sign_on.directory_silent' : 'sign_on.directory_called', {
                  prefix: state.prefix,
                  people: integer(state.people),
                  time: state.called_at === null ? '' : instant(state.called_at),
                })}
          </Text>
          {editable && (
            <Group gap="xs">
              <Button size="xs" variant="default" loading={busy} onClick={start}>
                {t(state.prefix === null ? 'sign_on.directory_start' : 'sign_on.directory_renew')}
              </Button>
              {state.prefix !== null && (
                <Button size="xs" variant="subtle" color="red" loading={busy} onClick={end}>
                  {t('sign_on.directory_end')}
                </Button>
              )}
            </Group>
          )}
          {state.groups.length > 0 && (
            <Table.ScrollContainer minWidth={300} maxHeight={320}>
              <Table stickyHeader>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('sign_on.group')}</Table.Th>
                    <Table.Th ta="end">{t('sign_on.directory_people')}</Table.Th>
                    <Table.Th>{t('sign_on.role')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {state.groups.map((group) => (
                    <Table.Tr key={group.id}>
                      <Table.Td style={{ overflowWrap: 'anywhere' }}>{group.name}</Table.Td>
                      <Table.Td ta="end">{integer(group.people)}</Table.Td>
                      <Table.Td>
                        {group.role_name === null
                          ? t('sign_on.directory_no_rule')
                          : t(keyIn('roles', group.role_name), { defaultValue: group.role_name })}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )}
        </>
      )}
    </Frame>
  );
}
