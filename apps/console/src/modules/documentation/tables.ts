import { TableKit } from '@tiptap/extension-table';

/** Tables of the editor. */
export const tables = TableKit.configure({ table: { resizable: false } });
