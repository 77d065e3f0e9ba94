import { link } from '@heliograph/contract/links/link';
import { team } from '@heliograph/contract/organizations/team';
import { Alert, ColorInput, SimpleGrid } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { loadPage } from '../../platform/page.ts';
import { useSession } from '../../platform/session.ts';
import { labelOf } from '../../resource/columns.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';

const Field = fieldsOf(team.create);
/** Colors on which white text is readable. */
const SWATCHES = ['#2f6fde', '#0f766e', '#15803d', '#7c3aed', '#be185d', '#c2410c', '#b91c1c', '#334155'];

const Pair = ({ children }: { children: ReactNode }) => <SimpleGrid cols={{ base: 1, xs: 2 }}>{children}</SimpleGrid>;

/** Page that edits a reseller's settings. Only the administration may change address and SMSC. */
export function TeamForm() {
  const administration = useSession((s) => (s.profile?.scope_level ?? 4) < 2);
  return (
    <FormPage
      resource={team}
      onSaved={() => void loadPage()}
      groups={{
        look: (
          <>
            <Field.Text name="app_name" autoFocus />
            {administration && <Field.Text name="base_url" type="url" />}
            {administration && <Field.Text name="short_link_host" />}
            <ColorField />
          </>
        ),
        mail: <MailFields />,
        carrier: administration ? (
          <>
            <Field.Reference name="link_id" to={link} />
            <Field.Switch name="decides_senders" />
          </>
        ) : undefined,
      }}
    />
  );
}

function MailFields() {
  const { t } = useTranslation();
  const { values } = useFormState();
  return (
    <>
      <Field.Text name="email_address" type="email" />
      <Pair>
        <Field.Text name="mail_server" />
        <Field.Number name="mail_port" />
      </Pair>
      <Field.Select name="mail_security" words="mail_security" />
      {values['mail_security'] === 'none' && (
        <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} />}>
          {t('teams.mail_plain')}
        </Alert>
      )}
      <Pair>
        <Field.Text name="mail_user" />
        <Field.Secret name="email_password" />
      </Pair>
    </>
  );
}

function ColorField() {
  const { t } = useTranslation();
  const form = useFormState();
  return (
    <ColorInput
      label={labelOf('teams', 'theme_color')}
      description={t('resources.teams.hints.theme_color')}
      data-field="theme_color"
      error={form.errors['theme_color']}
      format="hex"
      fixOnBlur={false}
      withEyeDropper={false}
      swatches={SWATCHES}
      popoverProps={{ withinPortal: true }}
      value={String(form.values['theme_color'] ?? '')}
      onChange={(color) => form.set('theme_color', color === '' ? null : color)}
    />
  );
}
