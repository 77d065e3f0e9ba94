import { listContactImports, uploadContacts } from '@heliograph/contract/audience/contact-import';
import { Accordion, Button, Group, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { lazyPart } from '../../platform/connection.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';

const ContactImport = lazyPart(async () => (await import('./contact-import.tsx')).ContactImport);
const ContactMending = lazyPart(async () => (await import('./contact-mending.tsx')).ContactMending);

/** Returns the button that opens the import of contacts, and its panel with the imports of the last days. */
export function useContactImport(): { button: ReactNode; panel: ReactNode } {
  const { t } = useTranslation();
  const may = useMay(uploadContacts.permission ?? '');
  const [open, setOpen] = useState(false);
  if (!may) return { button: null, panel: null };
  const button = !open && (
    <Button
      variant="default"
      leftSection={<IconUpload size={16} stroke={1.6} aria-hidden />}
      onClick={() => setOpen(true)}
    >
      {t('contact_import.title')}
    </Button>
  );
  const panel = open && (
    <Suspense fallback={null}>
      <ContactImport onClose={() => setOpen(false)} />
      <RecentImports />
    </Suspense>
  );
  return { button, panel };
}

/** Imports of the last days, each with its refused rows and the way back. */
function RecentImports() {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useQuery({
    queryKey: ['contact-imports', 'list'],
    queryFn: ({ signal }) => call(listContactImports, { signal }),
    staleTime: 0,
  });
  const rows = (query.data?.data ?? []).filter(({ state }) => state === 'done');
  if (rows.length === 0) return null;
  return (
    <Accordion variant="contained" mb="md" aria-label={t('contact_import.recent')}>
      {rows.map((row) => (
        <Accordion.Item key={row.id} value={String(row.id)}>
          <Accordion.Control>
            <Group justify="space-between" wrap="wrap" gap="xs">
              <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                {row.file_name}
              </Text>
              <Text size="sm" c="dimmed">
                {[
                  format.instant(row.created_at),
                  `${t('import.rows_added')}: ${format.integer(row.rows_added)}`,
                  `${t('import.rows_changed')}: ${format.integer(row.rows_changed)}`,
                ].join(' · ')}
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Suspense fallback={null}>
              <ContactMending importId={row.id} />
            </Suspense>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
