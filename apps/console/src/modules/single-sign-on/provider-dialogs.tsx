import {
  identityProvider,
  proveDomain,
  providerAddresses,
} from '@heliograph/contract/single-sign-on/identity-provider';
import { ActionIcon, Badge, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { toast } from '../../platform/toast.ts';

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** A value that is entered elsewhere, with a button that copies it. */
export function Copied({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation();
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Group gap={6} wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${t(copied ? 'actions.copied' : 'actions.copy')}: ${label}`}
              onClick={copy}
            >
              {copied ? <IconCheck {...ICON} /> : <IconCopy {...ICON} />}
            </ActionIcon>
          )}
        </CopyButton>
      </Group>
    </div>
  );
}

/** Frame of the dialogs about a provider. */
interface FrameProps {
  title: string;
  text: string;
  onClose: () => void;
  children: ReactNode;
}

export function Frame({ title, text, onClose, children }: FrameProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={<Text fw={600}>{title}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        {children}
      </Stack>
    </Modal>
  );
}

const ADDRESSES = ['redirect_url', 'entity_id', 'acs_url', 'sign_in_url', 'logout_url'] as const;

/** Dialog with the addresses that a provider must know about us. */
export function AddressesDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: [identityProvider.name, 'addresses', id],
    queryFn: ({ signal }) => call(providerAddresses, { params: { id }, signal }),
  });
  return (
    <Frame title={t('sign_on.addresses_title')} text={t('sign_on.addresses_text')} onClose={onClose}>
      {data &&
        ADDRESSES.map((name) => {
          const value = data.data[name];
          return value === null ? null : <Copied key={name} label={t(`sign_on.${name}`)} value={value} />;
        })}
    </Frame>
  );
}

/** Dialog with the records that prove a provider's domains; each can be checked. */
export function DomainsDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { run, busy } = useAction();
  const { data } = useQuery({
    queryKey: [identityProvider.name, 'proofs', id],
    queryFn: ({ signal }) => call(identityProvider.get, { params: { id }, signal }),
  });
  const check = (domain: string) =>
    void run(async () => {
      const { message } = await call(proveDomain, { params: { id }, body: { domain } });
      await client.invalidateQueries({ queryKey: [identityProvider.name] });
      if (message) void toast('success', message);
    });
  const proofs = data?.data.proofs;
  return (
    <Frame
      title={t('sign_on.domains_title')}
      text={t(proofs?.length === 0 ? 'sign_on.domains_none' : 'sign_on.domains_text')}
      onClose={onClose}
    >
      {proofs?.map(({ domain, record, value, proved }) => (
        <Stack key={domain} gap={6} className="app-card" p="sm">
          <Group justify="space-between">
            <Text fw={600}>{domain}</Text>
            {proved ? (
              <Badge variant="light" color="green">
                {t('sign_on.proved')}
              </Badge>
            ) : (
              <Button size="xs" variant="default" loading={busy} onClick={() => check(domain)}>
                {t('sign_on.check')}
              </Button>
            )}
          </Group>
          {!proved && (
            <>
              <Copied label={t('sign_on.record')} value={record} />
              <Copied label={t('sign_on.value')} value={value} />
            </>
          )}
        </Stack>
      ))}
    </Frame>
  );
}
