import { deleteDraft, getDraft, listDrafts } from '@heliograph/contract/campaigns/draft';
import { ActionIcon, Button, Drawer, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconFiles, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../platform/call.ts';
import { useFormat } from '../../../platform/format.ts';
import { sentenceOf } from '../../../platform/problem.ts';
import { useSession } from '../../../platform/session.ts';
import { toast } from '../../../platform/toast.ts';
import { edit, openDraft, useDraft } from './draft.ts';
import classes from './recipients.module.css';

/** Maximum number of drafts offered. Older ones appear after newer ones are sent or deleted. */
const SHOWN = 50;

/** Button and list of the drafts begun on this or another machine, to continue one. Draws nothing if there are none. */
export function Drafts() {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const owner = useSession((s) => s.profile?.id ?? null);
  const kept = useDraft((draft) => draft.kept?.id);
  const [open, setOpen] = useState(false);
  const drafts = useQuery({
    queryKey: ['drafts'],
    queryFn: ({ signal }) => call(listDrafts, { query: { per_page: SHOWN }, signal }),
  });
  const rows = drafts.data?.data ?? [];
  if (rows.length === 0) return null;

  async function resume(id: number) {
    try {
      openDraft(owner, (await call(getDraft, { params: { id } })).data);
      setOpen(false);
    } catch (error) {
      void toast('error', sentenceOf(error));
    }
  }

  async function remove(id: number) {
    try {
      await call(deleteDraft, { params: { id } });
      if (id === kept) edit({ kept: null });
    } catch (error) {
      void toast('error', sentenceOf(error));
    } finally {
      void client.invalidateQueries({ queryKey: ['drafts'] });
    }
  }

  return (
    <>
      <Button variant="subtle" leftSection={<IconFiles size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('drafts.open', { count: drafts.data?.meta.total ?? rows.length })}
      </Button>
      <Drawer opened={open} onClose={() => setOpen(false)} position="right" title={t('drafts.title')}>
        <Stack gap={4}>
          <Text size="sm" c="dimmed">
            {t('drafts.hint')}
          </Text>
          {rows.map((row) => (
            <Group key={row.id} wrap="nowrap" gap={4}>
              <UnstyledButton className={classes.draft ?? ''} onClick={() => void resume(row.id)}>
                <Text size="sm" fw={500} truncate>
                  {row.name || t('drafts.nameless')}
                </Text>
                <Text size="xs" c="dimmed">
                  {format.instant(row.updated_at)}
                  {row.id === kept && ` · ${t('drafts.present')}`}
                </Text>
              </UnstyledButton>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('drafts.remove', { name: row.name || t('drafts.nameless') })}
                onClick={() => void remove(row.id)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
      </Drawer>
    </>
  );
}
