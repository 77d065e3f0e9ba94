import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { link } from '@heliograph/contract/links/link';
import { team } from '@heliograph/contract/organizations/team';
import { Alert, ColorInput, Divider, SimpleGrid, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../platform/session.ts';
import { labelOf } from '../../resource/columns.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';

const Field = fieldsOf(team.create);
/** Colors on which white text is readable. */
const SWATCHES = ['#2f6fde', '#0f766e', '#15803d', '#7c3aed', '#be185d', '#c2410c', '#b91c1c', '#334155'];

const Pair = ({ children }: { children: ReactNode }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
    {children}
  </SimpleGrid>
);

/** Form of a reseller's settings. Only the administration may change address and SMSC. */
export function TeamFields() {
  const { t } = useTranslation();
  const administration = useSession((s) => (s.profile?.scope_level ?? 4) < 2);
  const { values } = useFormState();
  const section = (name: string) => (
    <Divider label={<Text size="sm">{t(keyIn('resources.teams.sections', name))}</Text>} labelPosition="left" />
  );
  return (
    <>
      {section('look')}
      <Field.Text name="app_name" autoFocus />
      {administration && <Field.Text name="base_url" type="url" />}
      <ColorField />
      {section('mail')}
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
      {administration && (
        <>
          {section('carrier')}
          <Field.Reference name="link_id" to={link} />
        </>
      )}
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
