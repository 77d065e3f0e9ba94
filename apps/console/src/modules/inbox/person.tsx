import { Anchor, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { labelOf } from '../../resource/columns.tsx';
import { MaskedNumbers } from '../../resource/masked-numbers.tsx';
import { PhoneNumber } from '../../resource/removal.tsx';
import { Link } from '../../ui/link.tsx';
import { MessageStateBadge } from '../reports/index.ts';
import classes from './conversations.module.css';
import { useMoments } from './moments.ts';
import { optOutWords } from './opt-out-words.ts';
import type { Conversation } from './thread.tsx';
import { usePerson } from './use-person.ts';

/** Person of a conversation: number, lists with their fields, whether messages may be sent, and campaigns. */
export function Person({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const format = useFormat();
  const moments = useMoments();
  const mayOpen = useMay('campaigns-show');
  const person = usePerson(conversation.id);
  return (
    <Stack gap="lg">
      <div>
        <Text fw={600} size="lg" style={{ overflowWrap: 'anywhere' }}>
          {conversation.name ?? <PhoneNumber oa={conversation.oa} />}
        </Text>
        {conversation.name && (
          <Text size="sm" c="dimmed">
            <PhoneNumber oa={conversation.oa} />
          </Text>
        )}
        <MaskedNumbers />
      </div>
      {person === undefined ? (
        <Stack role="status" aria-label={t('common.loading')}>
          <Skeleton h={20} />
          <Skeleton h={80} />
        </Stack>
      ) : (
        <>
          <Part title={t('inbox.consent')}>
            {conversation.opted_out ? (
              <Text size="sm" c="var(--mantine-color-error)">
                {optOutWords(conversation.opted_out, format)}
              </Text>
            ) : (
              <Text size="sm">
                {person.opt_out?.ended_at
                  ? t('inbox.opted_in_again', { at: moments.day(person.opt_out.ended_at) })
                  : t('inbox.may_message')}
              </Text>
            )}
            {person.blocked.map(({ sender, channel }) => (
              <Text key={`${sender} ${channel}`} size="sm" c="var(--mantine-color-error)">
                {sender === null ? t('inbox.blocked_all') : t('inbox.blocked', { sender })}
              </Text>
            ))}
          </Part>
          <Part title={t('menu.number-lists')}>
            {person.lists.length === 0 && (
              <Text size="sm" c="dimmed">
                {t('inbox.no_lists')}
              </Text>
            )}
            {person.lists.map((list) => (
              <div key={list.id} className={classes.listed}>
                <Anchor component={Link} to={`/numbers-${list.id}`} size="sm" fw={500}>
                  {list.name}
                </Anchor>
                {list.fields.length > 0 && (
                  <dl className={classes.fields}>
                    {list.fields.map(({ field, value }) => (
                      <div key={field}>
                        <dt>{labelOf('numbers', field)}</dt>
                        <dd>{value}</dd>
                      </div>
                    ))}
                  </dl>
                )}
              </div>
            ))}
          </Part>
          <Part title={t('menu.campaigns')}>
            {person.campaigns.length === 0 && (
              <Text size="sm" c="dimmed">
                {t('inbox.no_campaigns')}
              </Text>
            )}
            {person.campaigns.map(({ id, name, at, state }) => (
              <div key={`${id} ${at}`} className={classes.reached}>
                <div>
                  {mayOpen ? (
                    <Anchor component={Link} to={`/campaign-history/${id}`} size="sm">
                      {name}
                    </Anchor>
                  ) : (
                    <Text size="sm">{name}</Text>
                  )}
                  <Text size="xs" c="dimmed">
                    {moments.day(at)}
                  </Text>
                </div>
                <MessageStateBadge state={state} />
              </div>
            ))}
          </Part>
        </>
      )}
    </Stack>
  );
}

function Part(props: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={3} size="xs" c="dimmed" fw={600} mb={6}>
        {props.title}
      </Title>
      <Stack gap={8}>{props.children}</Stack>
    </section>
  );
}
