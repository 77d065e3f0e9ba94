import type { campaignContent, uploadRow } from '@heliograph/contract/campaigns/quote';
import { MERGE_FIELDS, type MergeField, type MergeValues } from '@heliograph/contract/kernel/merge-fields';
import type { z } from 'zod';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';

export type Upload = z.output<typeof uploadRow>;

/** What is being composed. It lives as long as the tab: a reload or a look at another screen loses nothing. */
export interface Draft {
  /** Whose draft it is, so that the next person at this computer does not see it. */
  owner: number | null;
  /** Empty: the suggested name is used. */
  name: string;
  sender_id: number | null;
  list_ids: number[];
  custom_numbers: string;
  file: Upload | null;
  content: string;
  defaults: MergeValues;
  skip_default_param: boolean;
  flash: boolean;
  sms_validity: number;
  /** The last quote, and the content it was made for. */
  quote: { id: number; of: string } | null;
}

const EMPTY: Draft = {
  owner: null,
  name: '',
  sender_id: null,
  list_ids: [],
  custom_numbers: '',
  file: null,
  content: '',
  defaults: {},
  skip_default_param: false,
  flash: false,
  sms_validity: 12,
  quote: null,
};

export const useDraft = create<Draft>()(
  persist(() => EMPTY, { name: 'sms-draft', version: 1, storage: createJSONStorage(() => sessionStorage) }),
);

/** Changes a part of the draft. */
export function edit(change: Partial<Draft>): void {
  useDraft.setState(change);
}

/** Begins an empty draft for a person. */
export function clearDraft(owner: number | null): void {
  useDraft.setState({ ...EMPTY, owner }, true);
}

/** Whether anything was put into the draft that would be missed. */
export const isStarted = (draft: Draft): boolean =>
  draft.content !== '' || draft.custom_numbers !== '' || draft.list_ids.length > 0 || draft.file !== null;

export const hasRecipients = (draft: Draft): boolean =>
  draft.custom_numbers.trim() !== '' || draft.list_ids.length > 0 || draft.file !== null;

/** The defaults of the fields a text uses; what was typed for others does not count. */
function defaultsFor(draft: Draft, fields: readonly MergeField[]): MergeValues {
  return Object.fromEntries(
    fields.filter((field) => draft.defaults[field]).map((field) => [field, draft.defaults[field]]),
  );
}

/** What the draft asks to be quoted. Two drafts with equal content cost the same, so an edit that is undone voids nothing. */
export function contentOf(
  draft: Draft,
  fields: readonly MergeField[],
  limits: { validity: number; flash: boolean },
): z.input<typeof campaignContent> {
  const asksFor = fields.length > 0;
  return {
    sender_id: draft.sender_id ?? 0,
    list_ids: draft.list_ids,
    custom_numbers: draft.custom_numbers.trim(),
    file_id: draft.file?.id ?? null,
    content: draft.content,
    defaults: asksFor ? (defaultsFor(draft, fields) as Record<MergeField, string>) : {},
    skip_default_param: asksFor && draft.skip_default_param,
    flash: draft.flash && limits.flash,
    sms_validity: Math.min(draft.sms_validity, limits.validity),
  };
}

/** The columns of an upload that hold merge fields, by their position. */
export function fieldColumns(upload: Upload): Map<MergeField, number> {
  const columns = new Map<MergeField, number>();
  upload.columns.forEach((column, at) => {
    const field = column.trim().toLowerCase() as MergeField;
    if (MERGE_FIELDS.includes(field)) columns.set(field, at);
  });
  return columns;
}
