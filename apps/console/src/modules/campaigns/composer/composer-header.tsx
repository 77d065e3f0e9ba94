import { Alert, Button, Text, TextInput } from '@mantine/core';
import { IconFlask, IconPencil, IconRotate } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../platform/session.ts';
import { openDialog } from '../../../ui/dialogs.ts';
import { Link } from '../../../ui/link.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { clearDraft, type Draft, edit, hasOwnTexts, isStarted } from './draft.ts';
import { Drafts } from './drafts.tsx';
import classes from './send-sms.module.css';
import { dropKept, type Keeping } from './use-kept-draft.ts';

/** Header of the composer: the campaign's name, where the draft is stored, other drafts, and a new start. */
export function ComposerHeader(props: {
  draft: Draft;
  keeping: Keeping;
  /** Name of the campaign if the user enters none; empty before anything is written. */
  suggestedName: string;
}) {
  const { t } = useTranslation();
  const { draft, keeping, suggestedName } = props;
  return (
    <>
      <PageHeader
        title={t('menu.send-sms')}
        actions={
          <>
            {keeping !== 'nothing' && (
              <Text size="xs" c="dimmed" role="status">
                {t(`drafts.state_${keeping}`)}
              </Text>
            )}
            <Drafts />
            {isStarted(draft) && !draft.edits && !hasOwnTexts(draft) && (
              <Button
                component={Link}
                to="/new-campaign-test"
                variant="subtle"
                leftSection={<IconFlask size={16} aria-hidden />}
              >
                {t('campaign_tests.make')}
              </Button>
            )}
            {isStarted(draft) && <Restart />}
          </>
        }
      />
      <TextInput
        className={classes.name ?? ''}
        aria-label={t('final.name')}
        title={t('final.name_hint')}
        placeholder={suggestedName || t('final.name')}
        rightSection={<IconPencil size={16} aria-hidden />}
        rightSectionPointerEvents="none"
        maxLength={150}
        value={draft.name}
        onChange={(event) => edit({ name: event.currentTarget.value })}
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
      leftSection={<IconRotate size={16} aria-hidden />}
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
