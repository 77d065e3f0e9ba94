import {
  TEAM_IMAGE_CALLS,
  TEAM_IMAGE_KINDS,
  TEAM_IMAGES,
  type TeamImage,
} from '@heliograph/contract/organizations/team';
import { Alert, Button, FileButton, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call, upload } from '../../platform/call.ts';
import { loadPage } from '../../platform/page.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { labelOf } from '../../resource/columns.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './team.module.css';
import type { TeamRow } from './teams.tsx';

/** Section of a reseller's pictures, each with its requirements. */
export function TeamImages({ row, editable }: { row: TeamRow; editable: boolean }) {
  const { t } = useTranslation();
  return (
    <Section title={t('teams.images')}>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
        {TEAM_IMAGE_KINDS.map((kind) => (
          <Picture key={kind} row={row} kind={kind} editable={editable} />
        ))}
      </SimpleGrid>
    </Section>
  );
}

function Picture({ row, kind, editable }: { row: TeamRow; kind: TeamImage; editable: boolean }) {
  const { t } = useTranslation();
  const { busy, fault, run } = useAction('form');
  const label = labelOf('teams', `${kind}_path`);
  const path = row[`${kind}_path`];
  const params = { id: row.id };
  const calls = TEAM_IMAGE_CALLS[kind];

  const change = (work: () => Promise<{ message?: string | undefined }>) =>
    run(async () => {
      const { message } = await work();
      await queryClient.invalidateQueries({ queryKey: ['teams'] });
      // The change may affect the look of this console itself.
      void loadPage();
      void toast('success', message ?? '');
    });

  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <div className={classes.frame}>
        {path ? (
          <img src={path} alt={label} width={TEAM_IMAGES[kind].width} height={TEAM_IMAGES[kind].height} />
        ) : (
          <Text size="sm" c="#5b6577">
            {t('teams.image_none')}
          </Text>
        )}
      </div>
      <Text size="xs" c="dimmed">
        {t('teams.image_hint', TEAM_IMAGES[kind])}
      </Text>
      {fault && (
        <Alert color="red" role="alert" p="xs">
          {fault}
        </Alert>
      )}
      {editable && (
        <Group gap="xs">
          <FileButton
            onChange={(file) => file && void change(() => upload(calls.upload, { params, file }))}
            accept="image/png,image/jpeg,image/webp"
            inputProps={{ 'aria-label': `${label}: ${t('teams.image_choose')}` }}
          >
            {(props) => (
              <Button {...props} variant="default" size="xs" loading={busy}>
                {t('teams.image_choose')}
              </Button>
            )}
          </FileButton>
          {path && (
            <Button variant="subtle" size="xs" onClick={() => void change(() => call(calls.remove, { params }))}>
              {t('teams.image_remove')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}
