import { contact, contactHistory } from '@heliograph/contract/audience/contact';
import { Anchor, Button, SimpleGrid, Stack } from '@mantine/core';
import { IconEdit, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { Cell, labelOf } from '../../resource/columns.tsx';
import { deleteRecords } from '../../resource/delete.ts';
import { ResourceForm } from '../../resource/form.tsx';
import { MaskedNumbers } from '../../resource/masked-numbers.tsx';
import { OneRecord } from '../../resource/one-record.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { ContactEvents } from './contact-events.tsx';
import { ConsentBadge, ContactForm, type ContactRow, Tags } from './contacts.tsx';
import { useContactFields } from './value-fields.tsx';

/** Page of one contact: values, tags, lists, consent and history. */
export function ContactPage() {
  const { t } = useTranslation();
  return (
    <OneRecord name="contacts" operation={contact.get} notFound={t('contacts.not_found')}>
      {(row) => <Loaded row={row} />}
    </OneRecord>
  );
}

function Loaded({ row }: { row: ContactRow }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [editing, setEditing] = useState(false);
  const mayEdit = useMay(contact.permissions.edit) && row.abilities.edit;
  const mayDelete = useMay(contact.permissions.delete) && row.abilities.delete;
  const history = useQuery({
    queryKey: ['contacts', 'history', row.id],
    queryFn: ({ signal }) => call(contactHistory, { params: { id: row.id }, signal }),
    staleTime: 0,
  });
  return (
    <>
      <PageHeader
        title={<span style={{ overflowWrap: 'anywhere' }}>{row.name ?? row.number}</span>}
        subtitle={row.name === null ? row.corporation_name : `${row.number} · ${row.corporation_name}`}
        crumbs={[{ label: t('menu.contacts'), to: '/contacts' }]}
        actions={
          <>
            {mayDelete && (
              <Button
                variant="default"
                leftSection={<IconTrash size={16} stroke={1.6} aria-hidden />}
                onClick={() => deleteRecords(contact, [row], () => void navigate({ to: '/contacts' }))}
              >
                {t('actions.delete')}
              </Button>
            )}
            {mayEdit && (
              <Button leftSection={<IconEdit size={16} stroke={1.6} aria-hidden />} onClick={() => setEditing(true)}>
                {t('actions.edit')}
              </Button>
            )}
          </>
        }
      />
      <MaskedNumbers />
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
          <Person row={row} />
          <Activity row={row} history={history.data?.data} />
        </SimpleGrid>
        <ContactEvents events={history.data?.data.events} failed={history.isError} />
      </Stack>
      {editing && (
        <ResourceForm resource={contact} row={row} onClose={() => setEditing(false)}>
          <ContactForm />
        </ResourceForm>
      )}
    </>
  );
}

function Person({ row }: { row: ContactRow }) {
  const { t } = useTranslation();
  const fields = useContactFields(row.corporation_id);
  const shows = { text: 'text', choice: 'text', number: 'text', date: 'date', yes_no: 'yes-no' } as const;
  return (
    <Section title={t('contacts.person')}>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} m={0} spacing="md">
        <Fact label={labelOf('contacts', 'name')}>
          <Cell show="text" value={row.name} />
        </Fact>
        <Fact label={labelOf('contacts', 'tags')}>
          <Tags {...row} />
        </Fact>
        {fields.map(({ key, name, type }) => (
          <Fact key={key} label={name}>
            <Cell show={shows[type]} value={row.fields[key]} />
          </Fact>
        ))}
      </SimpleGrid>
    </Section>
  );
}

type History = Awaited<ReturnType<typeof call<typeof contactHistory>>>['data'];

function Activity({ row, history }: { row: ContactRow; history: History | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const times = ['last_sent_at', 'last_delivered_at', 'last_clicked_at', 'last_replied_at'] as const;
  const shown = (at: string | null | undefined) => (at ? format.instant(at) : '–');
  return (
    <Section title={t('contacts.activity')}>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} m={0} spacing="md">
        <Fact label={labelOf('contacts', 'consent')}>
          <ConsentBadge {...row} />
        </Fact>
        <Fact label={t('menu.number-lists')}>
          {history?.lists.length
            ? history.lists.map(({ id, name }) => (
                <div key={id}>
                  <Anchor component={Link} to={`/numbers-${id}`} size="sm">
                    {name}
                  </Anchor>
                </div>
              ))
            : '–'}
        </Fact>
        {times.map((time) => (
          <Fact key={time} label={t(`contacts.${time}`)}>
            {shown(history?.[time])}
          </Fact>
        ))}
        <Fact label={labelOf('contacts', 'source')}>{t(`contact_source.${row.source}`)}</Fact>
        <Fact label={labelOf('contacts', 'created_at')}>{format.instant(row.created_at)}</Fact>
      </SimpleGrid>
    </Section>
  );
}
