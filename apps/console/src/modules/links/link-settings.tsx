import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { Button, Group, SimpleGrid } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { labelOf } from '../../resource/columns.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Section } from '../../ui/section.tsx';
import type { LinkRow } from './link-feed.ts';
import { TryRewriting } from './try-rewriting.tsx';

/** Settings with words as values, in their order. */
const WORDS = [
  'bind_mode',
  'id_rule',
  'registered_delivery',
  'default_charset',
  'long_messages',
  'flash_dialect',
  'validity_format',
] as const;
/** Settings that are lists of lines. */
const LISTS = ['receipt_words', 'parameters', 'number_rules', 'sender_rules', 'text_rules'] as const;
const PLAIN = [
  'test_rate',
  'binds',
  'window_size',
  'alphanumeric_ton_npi',
  'short_code_ton_npi',
  'number_ton_npi',
  'destination_ton_npi',
  'enquire_link_seconds',
  'response_seconds',
  'bind_seconds',
] as const;

/** Settings that links over HTTP do not have. */
const OF_SMPP: ReadonlySet<string> = new Set([
  'system_type',
  'bind_mode',
  'id_rule',
  'registered_delivery',
  'default_charset',
  'long_messages',
  'flash_dialect',
  'validity_format',
  'sniff_receipts',
  'message_reference',
  'parameters',
  'binds',
  'alphanumeric_ton_npi',
  'short_code_ton_npi',
  'number_ton_npi',
  'destination_ton_npi',
]);

/** All settings of a link except the password, folded until somebody asks for them. */
export function LinkSettings({ row }: { row: LinkRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const tls = row.tls
    ? [t(row.tls_ca ? 'link.own_ca' : 'link.system_ca'), row.tls_verify_name ? '' : t('link.name_unchecked')]
        .filter(Boolean)
        .join(' · ')
    : t('common.no');
  const facts: [field: string, value: ReactNode][] = [
    ['protocol', t(`link_protocol.${row.protocol}`)],
    ...(row.http ? ([['http', `${row.http.method} ${row.http.url}`]] as [string, ReactNode][]) : []),
    ['host', `${row.host}:${row.port}`],
    ['tls', tls],
    ['system_id', row.system_id],
    ['credentials_set_at', row.credentials_set_at ? format.instant(row.credentials_set_at) : t('link.no_password')],
    ['system_type', row.system_type || '–'],
    ['rate', row.rate === null ? t('link.no_limit') : format.integer(row.rate)],
    ...WORDS.map((field): [string, ReactNode] => [field, t(keyIn(`link_${field}`, row[field]))]),
    ['sniff_receipts', t(row.sniff_receipts ? 'common.yes' : 'common.no')],
    ['message_reference', t(row.message_reference ? 'common.yes' : 'common.no')],
    ['for_tests', t(row.for_tests ? 'common.yes' : 'common.no')],
    ['asks_registration', t(row.asks_registration ? 'common.yes' : 'common.no')],
    ...LISTS.map((field): [string, ReactNode] => [field, row[field].join(', ') || '–']),
    ...PLAIN.map((field): [string, ReactNode] => [field, row[field]]),
  ];
  return (
    <Section
      title={t('link.settings')}
      actions={
        <Group gap="xs">
          <TryRewriting row={row} />
          <Button variant="default" size="compact-sm" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? 'link.hide_settings' : 'link.show_settings')}
          </Button>
        </Group>
      }
    >
      {open && (
        <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} m={0} spacing="md">
          {facts
            .filter(([field]) => row.http === null || !OF_SMPP.has(field))
            .map(([field, value]) => (
              <Fact key={field} label={labelOf('links', field)}>
                {value}
              </Fact>
            ))}
        </SimpleGrid>
      )}
    </Section>
  );
}
