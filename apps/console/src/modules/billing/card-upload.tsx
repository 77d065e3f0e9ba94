import { pricePlan } from '@heliograph/contract/billing/price-plan';
import {
  CARD_COLUMNS,
  cardTemplate,
  currentCard,
  getCardUpload,
  uploadCard,
} from '@heliograph/contract/billing/rate-card';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { ActionIcon, Alert, Anchor, Group, Stack } from '@mantine/core';
import { IconAlertTriangle, IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf, call, upload } from '../../platform/call.ts';
import { useChannel, userChannel } from '../../platform/live.ts';
import { openFile } from '../../platform/open-file.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { readAgain } from '../../platform/queries.ts';
import { FilePreview, type PickedFile, picked } from '../../resource/file-preview.tsx';
import { FileTarget, ShareBar } from '../../resource/file-target.tsx';
import { ReferenceSelect } from '../../resource/reference.tsx';
import { Section } from '../../ui/section.tsx';
import { CardResult } from './card-result.tsx';
import { type Card, EarlierCards } from './earlier-cards.tsx';

const MOVING: ReadonlySet<string> = new Set(['checking', 'applying']);

/**
 * Upload of many rates in one file. The file is checked first and its changes are shown. It takes effect only after a
 * confirmation.
 */
export function CardUpload(props: { planId: number | null; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [planId, setPlanId] = useState(props.planId);
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [file, setFile] = useState<PickedFile | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [openId, setOpenId] = useState<number | null>(null);
  const card = useCard(openId);

  async function send({ file, reading }: PickedFile) {
    if (planId === null) return;
    setFailure(null);
    setSending({ name: file.name, share: 0 });
    try {
      const onProgress = (share: number) => setSending({ name: file.name, share });
      const reply = await upload(uploadCard, { params: { id: planId }, query: reading, file, onProgress });
      client.setQueryData(['card-uploads', 'one', reply.data.id], reply);
      setOpenId(reply.data.id);
      setFile(null);
    } catch (error) {
      setFailure(sentenceOf(error));
    } finally {
      setSending(null);
    }
  }

  const again = () => {
    setOpenId(null);
    setFile(null);
    setFailure(null);
  };

  return (
    <div style={{ marginBottom: 16 }}>
      <Section
        title={t('rate_card.title')}
        actions={
          <ActionIcon variant="subtle" color="gray" aria-label={t('actions.close')} onClick={props.onClose}>
            <IconX size={18} />
          </ActionIcon>
        }
      >
        {sending ? (
          <ShareBar label={t('import.uploading', { name: sending.name })} share={sending.share} />
        ) : card ? (
          MOVING.has(card.state) ? (
            <ShareBar label={t(keyIn('rate_card', card.state), { name: card.file_name })} />
          ) : (
            <CardResult card={card} again={again} />
          )
        ) : (
          <Stack gap="md">
            <ReferenceSelect
              label={t('resources.rates.fields.price_plan_id')}
              description={t('rate_card.plan_hint')}
              to={pricePlan}
              maw={420}
              value={planId}
              onChange={setPlanId}
            />
            {failure && (
              <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />}>
                {failure}
              </Alert>
            )}
            {file && planId !== null ? (
              <FilePreview
                picked={file}
                onChange={setFile}
                onSend={() => void send(file)}
                onOther={() => {
                  setFile(null);
                  setFailure(null);
                }}
              />
            ) : (
              <>
                <FileTarget
                  hint={
                    planId === null
                      ? t('rate_card.choose_plan')
                      : t('rate_card.header', { columns: CARD_COLUMNS.join(', ') })
                  }
                  disabled={planId === null}
                  onFile={(chosen) => setFile(picked(chosen))}
                />
                <Group gap="lg">
                  <FileLink
                    label={t('rate_card.template')}
                    path={addressOf(cardTemplate, {})}
                    name="rates-template.csv"
                  />
                  {planId !== null && (
                    <FileLink
                      label={t('rate_card.current')}
                      path={addressOf(currentCard, { params: { id: planId } })}
                      name={`rates-${planId}.csv`}
                    />
                  )}
                </Group>
              </>
            )}
            <EarlierCards planId={planId} onOpen={setOpenId} />
          </Stack>
        )}
      </Section>
    </div>
  );
}

function FileLink(props: { label: string; path: string; name: string }) {
  return (
    <Anchor component="button" type="button" size="sm" onClick={() => void openFile(props.path, props.name)}>
      {props.label}
    </Anchor>
  );
}

/** Follows the progress of an uploaded card. Once it is in force, the lists of rates are read again. */
function useCard(id: number | null): Card | undefined {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['card-uploads', 'one', id],
    queryFn: ({ signal }) => call(getCardUpload, { params: { id: id! }, signal }),
    enabled: id !== null,
    // The live event usually arrives first. This poll is the guarantee.
    refetchInterval: ({ state }) => (MOVING.has(state.data?.data.state ?? '') ? 1000 : false),
  });
  useChannel<{ id: number }>(userChannel(), '.card.progress', (news) => {
    if (news.id === id) void readAgain(['card-uploads', 'one', id]);
  });
  const card = id === null ? undefined : query.data?.data;
  const state = card?.state;
  useEffect(() => {
    if (state === undefined || MOVING.has(state)) return;
    void client.invalidateQueries({ queryKey: ['card-uploads', 'list'] });
    if (state === 'applied') void client.invalidateQueries({ queryKey: ['rates'] });
  }, [state, client]);
  return card;
}
