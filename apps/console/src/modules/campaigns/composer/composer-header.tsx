import { Alert, Button, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../platform/session.ts';
import { openDialog } from '../../../ui/dialogs.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { clearDraft, type Draft, edit, isStarted } from './draft.ts';
import { Drafts } from './drafts.tsx';
import { dropKept, type Keeping } from './use-kept-draft.ts';

/** Header of the composer: where the draft is stored, other drafts, and a new start. */
export function ComposerHeader({ draft, keeping }: { draft: Draft; keeping: Keeping }) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader
        title={t('menu.send-sms')}
        subtitle={t('compose.subtitle')}
        actions={
          <>
            {keeping !== 'nothing' && (
              <Text size="xs" c="dimmed" role="status">
                {t(`drafts.state_${keeping}`)}
              </Text>
            )}
            <Drafts />
            {isStarted(draft) && <Restart />}
          </>
        }
      />
      {draft.edits && (
        <Alert
          variant="light"
          mb="md"
          icon={<IconPencil size={18} />}
          withCloseButton
          closeButtonLabel={t('compose.edits_not')}
          onClose={() => edit({ edits: null })}
        >
          {t('compose.edits', { name: draft.edits.name })}
        </Alert>
      )}
    </>
  );
}

function Restart() {
  const { t } = useTranslation();
  const userId = useSession((s) => s.profile?.id ?? null);
  return (
    <Button
      variant="subtle"
      leftSection={<IconPencil size={16} aria-hidden />}
      onClick={() =>
        openDialog({
          title: t('compose.restart_title'),
          text: t('compose.restart_text'),
          confirm: t('compose.restart'),
          danger: true,
          onConfirm: () => {
            void dropKept();
            clearDraft(userId);
          },
        })
      }
    >
      {t('compose.restart')}
    </Button>
  );
}
