import { contact } from '@heliograph/contract/audience/contact';
import {
  type ContactSelection,
  changeContactTags,
  deleteContacts,
  exportContacts,
} from '@heliograph/contract/audience/contact-selection';
import { Button, Group, Menu, Modal, MultiSelect, Stack, TagsInput, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { lazyPart } from '../../platform/connection.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { DownloadDialog } from '../../resource/download-dialog.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { openDialog } from '../../ui/dialogs.ts';
import type { ContactRow } from './contacts.tsx';
import { useContactFields } from './value-fields.tsx';

const ContactMerge = lazyPart(async () => (await import('./contact-merge.tsx')).ContactMerge);

/** Filters of the list of contacts, by their names in its address. */
const FILTERS = [
  'corporation_id',
  'tag',
  'consent',
  'number_list_id',
  'contact_field_id',
  'value',
  'same_name',
] as const;
const NUMBERS: ReadonlySet<string> = new Set(['corporation_id', 'number_list_id', 'contact_field_id']);

const filterValue = (name: string, value: unknown) =>
  NUMBERS.has(name) ? Number(value) : name === 'same_name' ? String(value) === 'true' : value;

/** Chosen contacts; `count` is null for all that the list shows. */
interface Wish {
  selection: Partial<ContactSelection>;
  count: number | null;
  clear?: () => void;
}

/** Returns the selection that the list shows now. */
function useShown(): Partial<ContactSelection> {
  const { search, filters } = useListQuery(FILTERS);
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '');
  return {
    ...Object.fromEntries(given.map(([name, value]) => [name, filterValue(name, value)])),
    ...(search ? { search } : {}),
  };
}

/** Returns the menu for many contacts, the buttons for selected rows, and the dialogs that they open. */
export function useContactWork(): {
  menu: ReactNode;
  bulk: ((rows: readonly ContactRow[], clear: () => void) => ReactNode) | undefined;
  panel: ReactNode;
} {
  const { t } = useTranslation();
  const client = useQueryClient();
  const format = useFormat();
  const shown = useShown();
  const [tagging, setTagging] = useState<Wish | null>(null);
  const [merging, setMerging] = useState<{ pair: readonly [ContactRow, ContactRow]; clear: () => void } | null>(null);
  const [exporting, setExporting] = useState(false);
  const mayEdit = useMay(contact.permissions.edit);
  const mayDelete = useMay(contact.permissions.delete);
  const mayExport = useMay(exportContacts.permission ?? '');
  const done = async (key: 'changed' | 'deleted', count: number) => {
    await client.invalidateQueries({ queryKey: ['contacts'] });
    void toast('success', t(`contact_work.${key}`, { count, replace: { count: format.integer(count) } }));
  };
  const removeShown = () =>
    openDialog({
      title: t('contact_work.delete_title'),
      text: t('contact_work.delete_text'),
      confirm: t('contact_work.delete_submit'),
      danger: true,
      onConfirm: async () => {
        try {
          const { data } = await call(deleteContacts, { body: { selection: shown } });
          await done('deleted', data.contacts);
        } catch (error) {
          void toast('error', sentenceOf(error));
        }
      },
    });
  const items = [
    mayEdit && (
      <Menu.Item key="tags" onClick={() => setTagging({ selection: shown, count: null })}>
        {t('contact_work.tags')}
      </Menu.Item>
    ),
    mayExport && (
      <Menu.Item key="export" onClick={() => setExporting(true)}>
        {t('contact_work.export')}
      </Menu.Item>
    ),
    mayDelete && (
      <Menu.Item key="delete" c="var(--mantine-color-error)" onClick={removeShown}>
        {t('contact_work.delete')}
      </Menu.Item>
    ),
  ].filter(Boolean);
  const menu = items.length > 0 && (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={16} stroke={1.6} aria-hidden />}>
          {t('contact_work.menu')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{items}</Menu.Dropdown>
    </Menu>
  );
  const bulk = (rows: readonly ContactRow[], clear: () => void) => (
    <>
      <Button
        size="xs"
        variant="default"
        onClick={() => setTagging({ selection: { ids: rows.map(({ id }) => id) }, count: rows.length, clear })}
      >
        {t('contact_work.tags')}
      </Button>
      {mayDelete && rows.length === 2 && rows[0]!.corporation_id === rows[1]!.corporation_id && (
        <Button size="xs" variant="default" onClick={() => setMerging({ pair: [rows[0]!, rows[1]!], clear })}>
          {t('contact_merge.action')}
        </Button>
      )}
    </>
  );
  const panel = (
    <>
      {tagging && (
        <TagsDialog wish={tagging} onClose={() => setTagging(null)} onDone={(count) => done('changed', count)} />
      )}
      <Suspense>
        {merging && <ContactMerge pair={merging.pair} onDone={merging.clear} onClose={() => setMerging(null)} />}
      </Suspense>
      {exporting && <ExportDialog selection={shown} onClose={() => setExporting(false)} />}
    </>
  );
  return { menu, bulk: mayEdit ? bulk : undefined, panel };
}

function TagsDialog(props: { wish: Wish; onClose: () => void; onDone: (count: number) => Promise<void> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { selection, count, clear } = props.wish;
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const [saving, setSaving] = useState(false);
  async function submit() {
    setSaving(true);
    try {
      const { data } = await call(changeContactTags, { body: { selection, add, remove } });
      clear?.();
      props.onClose();
      await props.onDone(data.contacts);
    } catch (error) {
      void toast('error', sentenceOf(error));
    } finally {
      setSaving(false);
    }
  }
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={<Text fw={600}>{t('contact_work.submit')}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack>
        <Text size="sm">
          {count === null
            ? t('contact_work.all_shown')
            : t('contact_work.chosen', { count, replace: { count: format.integer(count) } })}
        </Text>
        <TagsInput label={t('contact_work.add')} value={add} onChange={setAdd} />
        <TagsInput label={t('contact_work.remove')} value={remove} onChange={setRemove} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            {t('actions.cancel')}
          </Button>
          <Button loading={saving} disabled={add.length + remove.length === 0} onClick={() => void submit()}>
            {t('contact_work.submit')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function ExportDialog({ selection, onClose }: { selection: Partial<ContactSelection>; onClose: () => void }) {
  const { t } = useTranslation();
  const own = useSession((s) => s.profile?.corporation_id ?? null);
  const fields = useContactFields(selection.corporation_id ?? own);
  const [chosen, setChosen] = useState<string[] | null>(null);
  const ids = chosen ?? fields.map(({ id }) => String(id));
  return (
    <DownloadDialog
      title={t('report_format.export')}
      text={t('contact_work.file')}
      submit={t('report_format.export')}
      asked={t('report.export_asked')}
      ask={(format) => call(exportContacts, { body: { format, selection, contact_field_ids: ids.map(Number) } })}
      onClose={onClose}
    >
      {fields.length > 0 && (
        <MultiSelect
          label={t('contact_work.fields')}
          data={fields.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={ids}
          onChange={setChosen}
        />
      )}
    </DownloadDialog>
  );
}
