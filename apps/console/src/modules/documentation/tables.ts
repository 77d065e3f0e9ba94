import { TableKit } from '@tiptap/extension-table';

/** Extension of the editor for tables. */
export const tables = TableKit.configure({ table: { resizable: false } });
