import { explainNetwork } from '@heliograph/contract/networks/network';
import { askForNumber } from '@heliograph/contract/number-lookups/number-source';
import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { AskDrawer } from '../../ui/ask-drawer.tsx';

/** Button whose drawer asks for a number. It shows the network of the number, and why. */
export function FindNetwork() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [number, setNumber] = useState('');
  const search = useMutation({ mutationFn: () => call(explainNetwork, { query: { number } }) });
  const faults = problemFrom(search.error)?.errors;
  const found = search.data?.data;
  const format = useFormat();
  const mayAsk = useMay('number-sources-edit');
  const { busy, run } = useAction();
  const ask = (asked: string) =>
    run(async () => {
      await call(askForNumber, { body: { number: asked } });
      void toast('success', t('networks.asked'));
    });
  return (
    <>
      <Button variant="default" leftSection={<IconSearch size={16} stroke={1.6} />} onClick={() => setOpened(true)}>
        {t('networks.find')}
      </Button>
      {opened && (
        <AskDrawer
          title={t('networks.find')}
          hint={t('networks.find_hint')}
          submit={t('networks.find_submit')}
          busy={search.isPending}
          ready={number.trim() !== ''}
          fault={search.error && !faults ? sentenceOf(search.error) : undefined}
          onAsk={() => search.mutate()}
          onClose={() => setOpened(false)}
          answer={
            found && (
              <Stack gap="xs">
                {found.by_lookup && (
                  <Alert color={found.by_lookup.dead ? 'red' : 'teal'} variant="light">
                    {t(found.by_lookup.dead ? 'networks.dead' : 'networks.by_lookup', {
                      number: found.number,
                      network: found.by_lookup.label ?? '–',
                      source: found.by_lookup.source,
                      time: format.instant(found.by_lookup.looked_up_at),
                    })}
                  </Alert>
                )}
                <Alert color={found.by_prefix ? (found.by_lookup ? 'gray' : 'teal') : 'orange'} variant="light">
                  {found.by_prefix
                    ? t('networks.by_prefix', {
                        number: found.number,
                        network: found.by_prefix.label,
                        prefix: found.by_prefix.prefix,
                      })
                    : t('networks.unknown', { number: found.number })}
                </Alert>
                {mayAsk && !found.by_lookup && (
                  <Button variant="default" loading={busy} onClick={() => void ask(found.number)}>
                    {t('networks.ask')}
                  </Button>
                )}
              </Stack>
            )
          }
        >
          <TextInput
            label={t('networks.number')}
            inputMode="tel"
            required
            data-autofocus
            error={faults?.['number']?.[0]}
            value={number}
            onChange={(event) => setNumber(event.currentTarget.value)}
          />
        </AskDrawer>
      )}
    </>
  );
}
