import { corporation } from '@heliograph/contract/organizations/corporation';
import { assignReseller, previewAssignment, previewReseller, team } from '@heliograph/contract/organizations/team';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { labelOf } from '../../resource/columns.tsx';
import { ReferenceSelect } from '../../resource/reference.tsx';
import { PlaceDialog } from './place-dialog.tsx';

interface Named {
  id: number;
  name: string;
}

/** Dialog that makes a given or chosen corporation a reseller, and then opens its settings. */
export function MakeReseller(props: { corporation?: Named; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<number | null>(props.corporation?.id ?? null);
  return (
    <PlaceDialog
      title={t('teams.make_title')}
      text={t('teams.make_text')}
      preview={previewReseller}
      corporationId={chosen}
      ready={chosen !== null}
      words={{ plain: t('teams.confirm_make'), downgrade: t('teams.confirm_make_downgrade') }}
      change={async (confirmed_user_ids) => {
        const reply = await call(team.createOne, { body: { corporation_id: chosen!, confirmed_user_ids } });
        void navigate({ to: `/teams/${reply.data.id}` });
        return reply;
      }}
      onClose={props.onClose}
    >
      <ReferenceSelect
        label={labelOf('teams', 'corporation_id')}
        to={corporation}
        within={{ is_reseller: false }}
        known={props.corporation?.name}
        disabled={props.corporation !== undefined}
        required
        value={chosen}
        onChange={setChosen}
        data-autofocus
        openOnFocus={false}
      />
    </PlaceDialog>
  );
}

/** Dialog that assigns a corporation to a reseller. Without a reseller, it returns the corporation to the platform. */
export function AssignReseller(props: {
  corporation: Named & { reseller_id: number | null; reseller_name: string | null };
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { id, name, reseller_id, reseller_name } = props.corporation;
  const [chosen, setChosen] = useState(reseller_id);
  return (
    <PlaceDialog
      title={t('teams.assign_title', { corporation: name })}
      text={t('teams.assign_text')}
      preview={previewAssignment}
      corporationId={id}
      harmless={chosen === null}
      ready={chosen !== reseller_id}
      words={{ plain: t('teams.confirm_assign'), downgrade: t('teams.confirm_assign_downgrade') }}
      change={(confirmed_user_ids) =>
        call(assignReseller, { params: { id }, body: { reseller_id: chosen, confirmed_user_ids } })
      }
      onClose={props.onClose}
    >
      <ReferenceSelect
        label={labelOf('corporations', 'reseller_id')}
        to={corporation}
        within={{ is_reseller: true }}
        known={chosen === reseller_id ? (reseller_name ?? undefined) : undefined}
        placeholder={t('teams.no_reseller')}
        value={chosen}
        onChange={setChosen}
        data-autofocus
        openOnFocus={false}
      />
    </PlaceDialog>
  );
}

/** Dialog to choose a corporation that is assigned to one reseller. */
export function AddCustomer(props: { reseller: Named; onClose: () => void }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<number | null>(null);
  return (
    <PlaceDialog
      title={t('teams.add_customer_title', { reseller: props.reseller.name })}
      text={t('teams.assign_text')}
      preview={previewAssignment}
      corporationId={chosen}
      ready={chosen !== null}
      words={{ plain: t('teams.confirm_assign'), downgrade: t('teams.confirm_assign_downgrade') }}
      change={(confirmed_user_ids) =>
        call(assignReseller, {
          params: { id: chosen! },
          body: { reseller_id: props.reseller.id, confirmed_user_ids },
        })
      }
      onClose={props.onClose}
    >
      <ReferenceSelect
        label={labelOf('teams', 'corporation_id')}
        to={corporation}
        within={{ is_reseller: false }}
        required
        value={chosen}
        onChange={setChosen}
        data-autofocus
        openOnFocus={false}
      />
    </PlaceDialog>
  );
}
