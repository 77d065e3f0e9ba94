import { ActionIcon } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { Link } from '../../ui/link.tsx';

/** Leads to what the documentation says of a screen. */
export function HelpLink({ screen }: { screen: string | undefined }) {
  const { t } = useTranslation();
  const mayRead = useMay('documentation-view');
  if (!mayRead || screen === undefined) return null;
  return (
    <ActionIcon
      component={Link}
      to="/document/0"
      search={{ article: screen }}
      variant="subtle"
      color="gray"
      aria-label={t('documentation.help')}
      title={t('documentation.help')}
    >
      <IconHelpCircle size={18} stroke={1.6} />
    </ActionIcon>
  );
}
