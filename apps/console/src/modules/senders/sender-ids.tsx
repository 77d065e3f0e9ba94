import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { SENDER_COLUMNS, senderId, uploadSenderIds } from '@heliograph/contract/senders/sender-id';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { useBulkUpload } from '../../resource/bulk-upload.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import {
  canSubmit,
  SenderDecision,
  SUBMIT_ICON,
  submit,
  VERDICT_ICONS,
  type Verdict,
  verdictsOf,
} from './sender-decision.tsx';
import { SenderForm } from './sender-form.tsx';
import { type Sender, SenderState } from './sender-state.tsx';

const Field = fieldsOf(senderId.create);

/** Screen of the names and numbers from which messages come. They are added one by one or as files. */
export function SenderIds() {
  const { t } = useTranslation();
  const format = useFormat();
  const bulk = useBulkUpload({
    resource: senderId,
    operation: uploadSenderIds,
    title: t('resources.sender-ids.bulk'),
    columns: SENDER_COLUMNS,
    required: ['sender_id'],
    sample: ['ACME,true,false,STOP,true', 'AcmeNews,false,,,'],
    children: <Field.Reference name="corporation_id" to={corporation} />,
  });
  const mayShow = useMay(senderId.permissions.show);
  const mayEdit = useMay(senderId.permissions.edit);
  const mayDecide = useMay('sender-ids-decide');
  const navigate = useNavigate();
  const [requested, setRequested] = useState<number | null>(null);
  // A new request leads to its page, where documents are added. It waits for its form to close, which guards changes.
  useEffect(() => {
    if (requested !== null) void navigate({ to: `/sender-ids/${requested}` as '.' });
  }, [requested, navigate]);
  const [deciding, setDeciding] = useState<{ senders: readonly Sender[]; verdict: Verdict } | null>(null);
  return (
    <>
      <ResourceList<typeof senderId>
        resource={senderId}
        header={{ actions: bulk.button }}
        columns={[
          'sender_id',
          {
            field: 'state',
            cell: (row) => <SenderState sender={row} />,
            csv: (row) => t(keyIn('sender_state', row.state)),
          },
          'corporation_name',
          { field: 'expires_on', cell: (row) => (row.expires_on ? format.date(row.expires_on) : '–') },
          'is_promotional',
          'add_optout',
          'optout_keyword',
          { field: 'purpose', hidden: true },
          { field: 'requested_by_name', hidden: true },
          { field: 'templates_only', hidden: true },
          { field: 'throughput', hidden: true },
          'enabled',
          'created_at',
        ]}
        filters={[{ field: 'corporation_id', to: corporation }, { field: 'state', words: 'sender_state' }, 'enabled']}
        form={<SenderForm />}
        onSaved={({ id, state }, isNew) => isNew && state !== 'approved' && mayShow && setRequested(id as number)}
        {...(mayShow && { rowTo: (row: Sender) => `/sender-ids/${row.id}` })}
        rowActions={(row) => [
          ...(mayEdit && canSubmit(row) && !row.may_decide
            ? [{ label: t('sender.submit'), icon: SUBMIT_ICON, onClick: () => void submit(row, t) }]
            : []),
          ...verdictsOf(row).map((verdict) => ({
            label: t(`sender.decide.${verdict}.action`),
            icon: VERDICT_ICONS[verdict],
            onClick: () => setDeciding({ senders: [row], verdict }),
          })),
        ]}
        bulk={
          mayDecide
            ? (rows) =>
                (['approve', 'reject', 'suspend'] as const).map((verdict) => {
                  const senders = rows.filter((row) => verdictsOf(row).includes(verdict));
                  return (
                    senders.length > 0 && (
                      <Button
                        key={verdict}
                        variant="default"
                        leftSection={VERDICT_ICONS[verdict]}
                        onClick={() => setDeciding({ senders, verdict })}
                      >
                        {t(`sender.decide.${verdict}.action`)}
                      </Button>
                    )
                  );
                })
            : undefined
        }
      >
        {bulk.panel}
      </ResourceList>
      {deciding && <SenderDecision {...deciding} onClose={() => setDeciding(null)} />}
    </>
  );
}
