import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { findPerson, personRequests } from '@heliograph/contract/privacy/person-request';
import { Button, Modal, Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { queryClient } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { CursorList } from '../../resource/cursor-list.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { RecordForm } from '../../resource/form.tsx';
import { initialValues } from '../../resource/form-values.ts';
import { noneYet } from '../../resource/none-yet.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PersonState } from './person-state.tsx';

export { PersonRequestPage } from './person-request.tsx';

const NAME = 'privacy';
const REFRESH_MS = 10_000;
const Field = fieldsOf(findPerson.body);

type Row = ReplyOf<typeof personRequests>['data'][number];

/** Number of the records that a search found. */
const recordsOf = ({ found }: Row): number | null =>
  found?.filter(({ kind }) => kind !== 'waiting').reduce((sum, { count }) => sum + count, 0) ?? null;

/** Screen of the searches for people. */
export function Privacy() {
  const { t } = useTranslation();
  const mayFind = useMay(findPerson.permission!);
  const [asking, setAsking] = useState(false);
  const button = mayFind && (
    <Button leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />} onClick={() => setAsking(true)}>
      {t('person.find')}
    </Button>
  );
  return (
    <CursorList<typeof personRequests, Row>
      name={NAME}
      operation={personRequests}
      title="number"
      header={{ actions: button }}
      columns={[
        { field: 'number', cell: (row) => row.number ?? t('person.number_gone') },
        {
          field: 'state',
          cell: (row) => <PersonState state={row.state} />,
          csv: (row) => t(`person_state.${row.state}`),
        },
        { field: 'found', figure: true, cell: (row) => recordsOf(row) ?? '–', csv: recordsOf },
        { field: 'corporation_name', cell: (row) => row.corporation_name ?? t('person.everywhere') },
        'user_name',
        'created_at',
      ]}
      filters={[
        { field: 'corporation_id', to: corporation },
        { field: 'state', words: 'person_state' },
      ]}
      rowTo={(row) => `/privacy/${row.id}`}
      refreshEvery={REFRESH_MS}
      empty={<EmptyState of={NAME} learn title={noneYet(NAME)} text={t('resources.privacy.empty')} action={button} />}
    >
      {asking && <FindPerson onClose={() => setAsking(false)} />}
    </CursorList>
  );
}

/** Dialog that asks for a number, and opens the search that it begins. */
function FindPerson({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={650}>{t('person.find')}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <RecordForm
        name={NAME}
        schema={findPerson.body}
        initial={initialValues(findPerson.body, {})}
        submitLabel={t('person.search')}
        onCancel={onClose}
        submit={async (values) => {
          const { data } = await call(findPerson, { body: values as never });
          void queryClient.invalidateQueries({ queryKey: [NAME] });
          await navigate({ to: `/privacy/${data.id}` });
        }}
      >
        <Field.Text name="number" type="tel" autoFocus />
        <Field.Reference name="corporation_id" to={corporation} />
      </RecordForm>
    </Modal>
  );
}
