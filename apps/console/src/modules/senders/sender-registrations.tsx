import { link } from '@heliograph/contract/links/link';
import { network } from '@heliograph/contract/networks/network';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { senderRegistration } from '@heliograph/contract/senders/sender-registration';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import {
  ANSWER_ICONS,
  ANSWERS,
  type Answer,
  isPossible,
  type Registration,
  RegistrationAnswer,
  RegistrationState,
} from './registration-answer.tsx';

const Field = fieldsOf(senderRegistration.create);

/** Screen of the sender IDs that are registered with the carriers of links. */
export function SenderRegistrations() {
  const { t } = useTranslation();
  const format = useFormat();
  const mayEdit = useMay(senderRegistration.permissions.edit);
  const mayNetworks = useMay(network.permissions.index);
  const [answering, setAnswering] = useState<{ rows: readonly Registration[]; answer: Answer } | null>(null);
  const day = (value: string | null) => (value ? format.date(value) : '–');
  return (
    <>
      <ResourceList<typeof senderRegistration>
        resource={senderRegistration}
        header={{ subtitle: t('resources.sender-registrations.empty') }}
        columns={[
          'sender_id_name',
          'link_name',
          {
            field: 'state',
            cell: (row) => <RegistrationState state={row.state} />,
            csv: (row) => t(`registration_state.${row.state}`),
          },
          'corporation_name',
          { field: 'networks', cell: (row) => row.networks || t('sender.registration.all_networks') },
          'reference',
          { field: 'registered_on', cell: (row) => day(row.registered_on) },
          { field: 'expires_on', cell: (row) => day(row.expires_on) },
          { field: 'reason', hidden: true },
          { field: 'changed_at', hidden: true },
          { field: 'changed_by_name', hidden: true },
          { field: 'created_at', hidden: true },
        ]}
        filters={[
          { field: 'link_id', to: link },
          { field: 'state', words: 'registration_state' },
          { field: 'sender_id_id', to: senderId },
        ]}
        form={
          <>
            <Field.Reference name="link_id" to={link} />
            <Field.References name="sender_id_ids" to={senderId} />
            {mayNetworks && <Field.References name="network_ids" to={network} />}
            <Field.Select name="state" words="registration_state" />
            <Field.Text name="reference" />
            <Field.Date name="registered_on" />
            <Field.Date name="expires_on" />
            <Field.Textarea name="reason" />
          </>
        }
        rowActions={(row) =>
          ANSWERS.filter((answer) => mayEdit && isPossible(row, answer)).map((answer) => ({
            label: t(`sender.registration.${answer}.action`),
            icon: ANSWER_ICONS[answer],
            onClick: () => setAnswering({ rows: [row], answer }),
          }))
        }
        bulk={
          mayEdit
            ? (rows) =>
                ANSWERS.map((answer) => {
                  const possible = rows.filter((row) => isPossible(row, answer));
                  return (
                    possible.length > 0 && (
                      <Button
                        key={answer}
                        variant="default"
                        leftSection={ANSWER_ICONS[answer]}
                        onClick={() => setAnswering({ rows: possible, answer })}
                      >
                        {t(`sender.registration.${answer}.action`)}
                      </Button>
                    )
                  );
                })
            : undefined
        }
      />
      {answering && <RegistrationAnswer {...answering} onClose={() => setAnswering(null)} />}
    </>
  );
}
