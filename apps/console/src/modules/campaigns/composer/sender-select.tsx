import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { isNumeric, senderId } from '@heliograph/contract/senders/sender-id';
import { type ComboboxItem, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../../platform/call.ts';
import { queryClient } from '../../../platform/queries.ts';
import { useMay, useSession } from '../../../platform/session.ts';
import { NEW_RECORD, QuickCreate, useNewLabel } from '../../../resource/reference.tsx';
import { edit } from './draft.ts';

export type Sender = z.output<typeof senderId.row>;

/** Returns the enabled senders, and the chosen one. If there are many, the server finds them by name. */
export function useSenders(
  chosen: number | null,
  search: string,
  corporationId?: number,
): { senders: Sender[]; sender: Sender | undefined; loading: boolean } {
  const mayShow = useMay('sender-ids-show');
  const within = corporationId === undefined ? {} : { corporation_id: corporationId };
  const list = useQuery({
    queryKey: ['composer', 'senders', search, corporationId],
    queryFn: ({ signal }) =>
      call(senderId.list, {
        query: { enabled: 'true', per_page: 200, sort: 'sender_id', ...(search && { search }), ...within },
        signal,
      }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  const listed = list.data?.data.find((row) => row.id === chosen);
  const one = useQuery({
    queryKey: ['composer', 'sender', chosen],
    queryFn: ({ signal }) => call(senderId.get, { params: { id: chosen ?? 0 }, signal }),
    enabled: mayShow && chosen !== null && list.isSuccess && !listed,
    staleTime: 60_000,
  });
  return { senders: list.data?.data ?? [], sender: listed ?? one.data?.data, loading: list.isLoading };
}

/** Select for the sender of a message. If there is only one sender, it is chosen automatically. */
export function SenderSelect(props: {
  value: number | null;
  /** Corporation of the lists that were chosen before the sender; other senders cannot be used. */
  corporationId: number | undefined;
  error: string | undefined;
}) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 250);
  const chosenName = useSenders(props.value, '').sender?.sender_id;
  const { senders, sender, loading } = useSenders(
    props.value,
    wanted === chosenName ? '' : wanted,
    // A sender that was chosen may be replaced by one of another corporation, whose lists are others.
    props.value === null ? props.corporationId : undefined,
  );
  const ownCorporation = useSession((s) => s.profile?.corporation_id ?? null);
  const rows = sender && !senders.some((row) => row.id === sender.id) ? [sender, ...senders] : senders;
  // A user who sends for several corporations must see the corporation of each sender.
  const several = new Set(rows.map((row) => row.corporation_id)).size > 1;
  const usable = senders.filter((row) => row.usable);
  const only = !wanted && usable.length === 1 && props.value === null ? usable[0] : undefined;
  useEffect(() => {
    if (only) edit({ sender_id: only.id });
  }, [only]);
  const home = props.corporationId ?? ownCorporation;
  const newLabel = useNewLabel(senderId, { corporation_id: home });
  const [creating, setCreating] = useState(false);
  const choose = (next: Pick<Sender, 'id' | 'corporation_id'>) =>
    // Lists belong to a corporation. The lists of another corporation cannot be used.
    edit({
      sender_id: next.id,
      ...(sender && sender.corporation_id !== next.corporation_id ? { list_ids: [], segment_ids: [] } : {}),
    });
  const choices = rows.map((row) => ({
    value: String(row.id),
    // A sender that cannot be used stays visible, with the reason.
    disabled: !row.usable,
    label: [
      row.sender_id,
      several && row.corporation_id !== ownCorporation && row.corporation_name,
      row.state !== 'approved' && t(keyIn('sender_state', row.state)),
      row.withheld && t('resources.sender-ids.fields.withheld'),
    ]
      .filter(Boolean)
      .join(' · '),
  }));
  return (
    <>
      <Select
        label={t('resources.sender-ids.fields.sender_id')}
        placeholder={t('compose.sender_placeholder')}
        searchable
        allowDeselect={false}
        description={t(`compose.replies.${sender ? (isNumeric(sender.sender_id) ? 'number' : 'name') : 'none'}`)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maw={420}
        nothingFoundMessage={loading ? t('common.loading') : t('compose.no_senders')}
        error={props.error}
        searchValue={search}
        onSearchChange={setSearch}
        data={newLabel ? [...choices, { value: NEW_RECORD, label: newLabel }] : choices}
        filter={({ options, search }) =>
          (options as ComboboxItem[]).filter(
            ({ value, label }) => value === NEW_RECORD || label.toLowerCase().includes(search.trim().toLowerCase()),
          )
        }
        value={props.value === null ? null : String(props.value)}
        onChange={(value) => {
          if (value === NEW_RECORD) return setCreating(true);
          const next = rows.find((row) => String(row.id) === value);
          if (next) choose(next);
        }}
      />
      {creating && (
        <Suspense fallback={null}>
          <QuickCreate
            to={senderId}
            within={{ corporation_id: home }}
            name={senders.length === 0 && wanted !== newLabel ? wanted : ''}
            onCreated={(row) => {
              setCreating(false);
              void queryClient.invalidateQueries({ queryKey: ['composer', 'senders'] });
              // A new sender that waits for approval appears in the list, with that reason.
              void call(senderId.get, { params: { id: row.id } }).then(({ data }) => data.usable && choose(data));
            }}
            onClose={() => {
              setCreating(false);
              setSearch(chosenName ?? '');
            }}
          />
        </Suspense>
      )}
    </>
  );
}
