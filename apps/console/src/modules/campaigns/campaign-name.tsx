import { editCampaign } from '@heliograph/contract/campaigns/campaign';
import { ActionIcon, Group, TextInput } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import type { Campaign } from './campaign-feed.ts';
import { StateBadge } from './state-badge.tsx';

/** Name of a campaign as the heading of its page, which can be edited in place, and its state. */
export function EditableName({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const rename = useMutation({
    mutationFn: (name: string) =>
      call(editCampaign, { params: { id: campaign.id }, body: { name, fingerprint: campaign.fingerprint } }),
    onError: (error) => void toast('error', sentenceOf(error)),
    onSettled: () => {
      setTyped(null);
      return queryClient.invalidateQueries({ queryKey: ['campaigns'] });
    },
  });
  function save() {
    const name = typed?.trim() ?? '';
    if (name === '' || name === campaign.name) setTyped(null);
    else if (!rename.isPending) rename.mutate(name);
  }
  return (
    <Group component="span" gap={12}>
      {typed === null ? (
        <span style={{ overflowWrap: 'anywhere' }}>{rename.isPending ? rename.variables : campaign.name}</span>
      ) : (
        <TextInput
          aria-label={t('final.name')}
          size="md"
          w={{ base: 260, sm: 420 }}
          maxLength={150}
          autoFocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save();
            if (event.key === 'Escape') setTyped(null);
          }}
        />
      )}
      {campaign.abilities.rename && typed === null && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('campaign.rename')}
          title={t('campaign.rename')}
          onClick={() => setTyped(campaign.name)}
        >
          <IconPencil size={18} stroke={1.6} />
        </ActionIcon>
      )}
      <StateBadge state={campaign.state} size="md" />
    </Group>
  );
}
