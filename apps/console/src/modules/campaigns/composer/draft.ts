import type { draftContent, getDraft } from '@heliograph/contract/campaigns/draft';
import { bringsTexts, type campaignContent } from '@heliograph/contract/campaigns/quote';
import type { ColumnField, uploadRow } from '@heliograph/contract/campaigns/recipient-file';
import { MERGE_FIELDS, type MergeField, type MergeValues } from '@heliograph/contract/kernel/merge-fields';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { LanguageText } from '@heliograph/contract/templates/language-texts';
import type { z } from 'zod';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';

export type Upload = z.output<typeof uploadRow>;
type DraftContent = z.output<typeof draftContent>;
export type KeptDraft = ReplyOf<typeof getDraft>['data'];

/** Message being composed. It lives as long as the tab. The server stores it for other tabs and machines. */
export interface Draft {
  /** Owner of the draft, so that the next person at this computer does not see it. */
  owner: number | null;
  /** Id and version of the server's copy; null while there is no copy. */
  kept: { id: number; version: number } | null;
  /** Name of the campaign. If it is empty, the suggested name is used. */
  name: string;
  content_type: 'single' | 'multi';
  sender_id: number | null;
  list_ids: number[];
  segment_ids: number[];
  custom_numbers: string;
  /** Numbers that receive no message, even if another source contains them. */
  blacklist_numbers: string;
  /** Set if numbers without a country code are read by the operator's rule. */
  read_national: boolean;
  file: Upload | null;
  /** Field held by each column of the file, by position. */
  columns: (ColumnField | null)[];
  content: string;
  /** Texts for contacts of other languages. */
  language_texts: LanguageText[];
  defaults: MergeValues;
  skip_default_param: boolean;
  /** Skips numbers that a lookup says nobody has. */
  skip_dead: boolean;
  flash: boolean;
  sms_validity: number;
  short_links: boolean;
  notify_number: boolean;
  /** Values of vendor parameters, as name=value. */
  parameters: string[];
  /** Start time and sending rate, as stored by that part of the form. */
  schedule: DraftContent['schedule'];
  /** Waiting campaign that this draft replaces. */
  edits: { id: number; name: string; fingerprint: string } | null;
  /** Latest quote, and the content for which it was made. */
  quote: { id: number; of: string } | null;
}

const EMPTY: Draft = {
  owner: null,
  kept: null,
  name: '',
  content_type: 'single',
  sender_id: null,
  list_ids: [],
  segment_ids: [],
  custom_numbers: '',
  blacklist_numbers: '',
  read_national: true,
  file: null,
  columns: [],
  content: '',
  language_texts: [],
  defaults: {},
  skip_default_param: false,
  skip_dead: false,
  flash: false,
  sms_validity: 12,
  short_links: false,
  notify_number: false,
  parameters: [],
  schedule: {},
  edits: null,
  quote: null,
};

/** Maximum characters of a name that is made from the text. */
const NAME_LENGTH = 36;

export const useDraft = create<Draft>()(
  persist(() => EMPTY, { name: 'sms-draft', version: 4, storage: createJSONStorage(() => sessionStorage) }),
);

/** Changes a part of the draft. */
export function edit(change: Partial<Draft>): void {
  useDraft.setState(change);
}

/** Starts an empty draft for a person. */
export function clearDraft(owner: number | null): void {
  useDraft.setState({ ...EMPTY, owner }, true);
}

/** Continues a draft that the server has stored. */
export function openDraft(owner: number | null, { id, version, content, file }: KeptDraft): void {
  const { file_id: _, columns, ...rest } = content;
  const mapping = file ? (columns ?? file.mapping) : [];
  useDraft.setState({ ...EMPTY, ...rest, owner, kept: { id, version }, file, columns: mapping }, true);
}

/** Returns the part of a draft that the server stores. */
export function keepable(draft: Draft): DraftContent {
  const { owner: _owner, kept: _kept, quote: _quote, edits: _edits, file, columns, ...rest } = draft;
  return {
    ...rest,
    defaults: defaultsFor(draft, Object.keys(draft.defaults)),
    file_id: file?.id ?? null,
    columns: file ? columns : null,
  };
}

/** Returns whether the draft contains anything that the user would miss. */
export const isStarted = (draft: Draft): boolean =>
  draft.content !== '' ||
  draft.custom_numbers !== '' ||
  draft.list_ids.length + draft.segment_ids.length > 0 ||
  draft.file !== null;

export const hasRecipients = (draft: Draft): boolean =>
  draft.file !== null ||
  (draft.content_type === 'single' &&
    (draft.custom_numbers.trim() !== '' || draft.list_ids.length + draft.segment_ids.length > 0));

/** Returns a name for the campaign: the beginning of its text, or the name of its file; empty if there is neither. */
export function nameFromText(draft: Draft): string {
  const name = beginningOf(draft);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function beginningOf(draft: Draft): string {
  if (hasOwnTexts(draft)) return draft.file?.file_name.replace(/\.\w+$/, '') ?? '';
  const words = draft.content
    // A greeting does not tell campaigns apart.
    .replace(/^\s*\p{L}+ \{\w+\}[,!:.]?/u, ' ')
    .replace(/\{\w+\}[,!]?/g, ' ')
    .replace(/https?:\/\/\S+/g, ' ')
    .trim()
    .split(/\s+/);
  let name = '';
  for (const word of words) {
    if (`${name} ${word}`.length > NAME_LENGTH) return `${name || word.slice(0, NAME_LENGTH)}…`;
    name = `${name} ${word}`.trim();
  }
  return name;
}

/** Returns whether each row of the file has its own complete text. */
export const hasOwnTexts = (draft: Draft): boolean => draft.file !== null && bringsTexts(draft);

/** Returns the defaults of the fields that a text uses. Defaults typed for other fields do not count. */
function defaultsFor(draft: Draft, fields: readonly string[]): Record<string, string> {
  return Object.fromEntries(fields.flatMap((field) => (draft.defaults[field] ? [[field, draft.defaults[field]]] : [])));
}

/**
 * Returns the content of a draft to be quoted. Two drafts with equal content cost the same, so undoing an edit keeps
 * the quote valid.
 */
export function contentOf(
  draft: Draft,
  fields: readonly string[],
  limits: { validity: number; flash: boolean; parameters: boolean; lookups: boolean },
): z.input<typeof campaignContent> {
  const asksFor = fields.length > 0;
  const single = draft.content_type === 'single';
  return {
    content_type: draft.content_type,
    sender_id: draft.sender_id ?? 0,
    list_ids: single ? draft.list_ids : [],
    segment_ids: single ? draft.segment_ids : [],
    custom_numbers: single ? draft.custom_numbers.trim() : '',
    blacklist_numbers: draft.blacklist_numbers.trim(),
    read_national: draft.read_national,
    file_id: draft.file?.id ?? null,
    columns: draft.file ? draft.columns : null,
    content: hasOwnTexts(draft) ? '' : draft.content,
    language_texts: hasOwnTexts(draft) ? [] : draft.language_texts,
    defaults: asksFor && !draft.skip_default_param ? defaultsFor(draft, fields) : {},
    skip_default_param: asksFor && draft.skip_default_param,
    skip_dead: draft.skip_dead && limits.lookups,
    flash: draft.flash && limits.flash,
    sms_validity: Math.min(draft.sms_validity, limits.validity),
    short_links: draft.short_links,
    notify_number: draft.notify_number,
    parameters: limits.parameters ? draft.parameters : [],
  };
}

/** Returns the columns of the file that hold merge fields, by their position. */
export function fieldColumns(columns: readonly (ColumnField | null)[]): Map<MergeField, number> {
  const found = new Map<MergeField, number>();
  for (const field of MERGE_FIELDS) {
    const at = columns.indexOf(field);
    if (at >= 0) found.set(field, at);
  }
  return found;
}
