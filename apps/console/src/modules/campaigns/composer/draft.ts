import type { draftContent, getDraft } from '@heliograph/contract/campaigns/draft';
import { bringsTexts, type campaignContent } from '@heliograph/contract/campaigns/quote';
import type { ColumnField, uploadRow } from '@heliograph/contract/campaigns/recipient-file';
import { MERGE_FIELDS, type MergeField, type MergeValues } from '@heliograph/contract/kernel/merge-fields';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { z } from 'zod';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';

export type Upload = z.output<typeof uploadRow>;
type DraftContent = z.output<typeof draftContent>;
export type KeptDraft = ReplyOf<typeof getDraft>['data'];

/** What is being composed. It lives as long as the tab, and is kept by the server for other tabs and machines. */
export interface Draft {
  /** Whose draft it is, so that the next person at this computer does not see it. */
  owner: number | null;
  /** What the server keeps of it, and by which version; null as long as it keeps nothing. */
  kept: { id: number; version: number } | null;
  /** Empty: the suggested name is used. */
  name: string;
  content_type: 'single' | 'multi';
  sender_id: number | null;
  list_ids: number[];
  custom_numbers: string;
  /** Who gets nothing, whatever has them. */
  blacklist_numbers: string;
  /** Reads numbers without a country code by the operator's rule. */
  read_national: boolean;
  file: Upload | null;
  /** By position what the columns of the file hold. */
  columns: (ColumnField | null)[];
  content: string;
  defaults: MergeValues;
  skip_default_param: boolean;
  flash: boolean;
  sms_validity: number;
  short_links: boolean;
  notify_number: boolean;
  /** When and how fast, as that part of the form keeps it. */
  schedule: DraftContent['schedule'];
  /** The campaign that waits and that this takes the place of. */
  edits: { id: number; name: string; fingerprint: string } | null;
  /** The last quote, and the content it was made for. */
  quote: { id: number; of: string } | null;
}

const EMPTY: Draft = {
  owner: null,
  kept: null,
  name: '',
  content_type: 'single',
  sender_id: null,
  list_ids: [],
  custom_numbers: '',
  blacklist_numbers: '',
  read_national: true,
  file: null,
  columns: [],
  content: '',
  defaults: {},
  skip_default_param: false,
  flash: false,
  sms_validity: 12,
  short_links: false,
  notify_number: false,
  schedule: {},
  edits: null,
  quote: null,
};

export const useDraft = create<Draft>()(
  persist(() => EMPTY, { name: 'sms-draft', version: 2, storage: createJSONStorage(() => sessionStorage) }),
);

/** Changes a part of the draft. */
export function edit(change: Partial<Draft>): void {
  useDraft.setState(change);
}

/** Begins an empty draft for a person. */
export function clearDraft(owner: number | null): void {
  useDraft.setState({ ...EMPTY, owner }, true);
}

/** Goes on with a draft that the server has kept. */
export function openDraft(owner: number | null, { id, version, content, file }: KeptDraft): void {
  const { file_id: _, columns, ...rest } = content;
  const mapping = file ? (columns ?? file.mapping) : [];
  useDraft.setState({ ...EMPTY, ...rest, owner, kept: { id, version }, file, columns: mapping }, true);
}

/** What the server is to keep of a draft. */
export function keepable(draft: Draft): DraftContent {
  const { owner: _owner, kept: _kept, quote: _quote, edits: _edits, file, columns, ...rest } = draft;
  return {
    ...rest,
    defaults: defaultsFor(draft, MERGE_FIELDS),
    file_id: file?.id ?? null,
    columns: file ? columns : null,
  };
}

/** Whether anything was put into the draft that would be missed. */
export const isStarted = (draft: Draft): boolean =>
  draft.content !== '' || draft.custom_numbers !== '' || draft.list_ids.length > 0 || draft.file !== null;

export const hasRecipients = (draft: Draft): boolean =>
  draft.file !== null ||
  (draft.content_type === 'single' && (draft.custom_numbers.trim() !== '' || draft.list_ids.length > 0));

/** Whether each row of the file brings its own whole text. */
export const hasOwnTexts = (draft: Draft): boolean => draft.file !== null && bringsTexts(draft);

/** The defaults of the fields a text uses; what was typed for others does not count. */
function defaultsFor(draft: Draft, fields: readonly MergeField[]): Record<MergeField, string> {
  return Object.fromEntries(
    fields.filter((field) => draft.defaults[field]).map((field) => [field, draft.defaults[field]]),
  ) as Record<MergeField, string>;
}

/** What the draft asks to be quoted. Two drafts with equal content cost the same, so an edit that is undone voids nothing. */
export function contentOf(
  draft: Draft,
  fields: readonly MergeField[],
  limits: { validity: number; flash: boolean },
): z.input<typeof campaignContent> {
  const asksFor = fields.length > 0;
  const single = draft.content_type === 'single';
  return {
    content_type: draft.content_type,
    sender_id: draft.sender_id ?? 0,
    list_ids: single ? draft.list_ids : [],
    custom_numbers: single ? draft.custom_numbers.trim() : '',
    blacklist_numbers: draft.blacklist_numbers.trim(),
    read_national: draft.read_national,
    file_id: draft.file?.id ?? null,
    columns: draft.file ? draft.columns : null,
    content: hasOwnTexts(draft) ? '' : draft.content,
    defaults: asksFor && !draft.skip_default_param ? defaultsFor(draft, fields) : {},
    skip_default_param: asksFor && draft.skip_default_param,
    flash: draft.flash && limits.flash,
    sms_validity: Math.min(draft.sms_validity, limits.validity),
    short_links: draft.short_links,
    notify_number: draft.notify_number,
  };
}

/** The columns of the file that hold merge fields, by their position. */
export function fieldColumns(columns: readonly (ColumnField | null)[]): Map<MergeField, number> {
  const found = new Map<MergeField, number>();
  for (const field of MERGE_FIELDS) {
    const at = columns.indexOf(field);
    if (at >= 0) found.set(field, at);
  }
  return found;
}
