import { getReputation, setReputation } from '@heliograph/contract/verify/guard-report';
import { Button, Stack, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { readAgain } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { Section } from '../../ui/section.tsx';

/** Numbers and addresses that get no code, as lines with their reasons. */
export function ReputationList({ id }: { id: number }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['verify-services', 'reputation', id],
    queryFn: () => call(getReputation, { params: { id } }),
    staleTime: 0,
  });
  const [typed, setTyped] = useState<string | null>(null);
  const { busy, run, errors, failure } = useAction('form');
  const lines = typed ?? data?.data.lines;
  const save = () =>
    void run(async () => {
      const { message } = await call(setReputation, { params: { id }, body: { lines: lines ?? '' } });
      await readAgain(['verify-services']);
      setTyped(null);
      if (message) void toast('success', message);
    });
  return (
    <Section title={t('verify_signal_name.reputation')}>
      <Stack gap="sm" align="flex-start">
        <Textarea
          w="100%"
          label={t('verify_guard.lines')}
          description={t('verify_guard.list_hint')}
          placeholder="+6391977,Sold in bulk"
          autosize
          minRows={4}
          maxRows={16}
          disabled={lines === undefined}
          value={lines ?? ''}
          error={errors['lines']?.[0] ?? failure}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button loading={busy} disabled={typed === null} onClick={save}>
          {t('verify_guard.save_list')}
        </Button>
      </Stack>
    </Section>
  );
}
