import '@mantine/tiptap/styles.css';
import { uploadArticleImage } from '@heliograph/contract/documentation/article';
import { getUploadImageExtension, RichTextEditor, type RichTextEditorLabels } from '@mantine/tiptap';
import type { AnyExtension } from '@tiptap/core';
import Blockquote from '@tiptap/extension-blockquote';
import Bold from '@tiptap/extension-bold';
import Code from '@tiptap/extension-code';
import CodeBlock from '@tiptap/extension-code-block';
import Document from '@tiptap/extension-document';
import HardBreak from '@tiptap/extension-hard-break';
import Heading from '@tiptap/extension-heading';
import HorizontalRule from '@tiptap/extension-horizontal-rule';
import Image from '@tiptap/extension-image';
import Italic from '@tiptap/extension-italic';
import { BulletList, ListItem, ListKeymap, OrderedList } from '@tiptap/extension-list';
import Paragraph from '@tiptap/extension-paragraph';
import Strike from '@tiptap/extension-strike';
import Text from '@tiptap/extension-text';
import Underline from '@tiptap/extension-underline';
import { Dropcursor, Gapcursor, TrailingNode, UndoRedo } from '@tiptap/extensions';
import { useEditor, useEditorState } from '@tiptap/react';
import { type ComponentProps, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { upload } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { styleNonce } from '../../platform/style-nonce.ts';
import { toast } from '../../platform/toast.ts';
import { LinkMark } from './link-mark.ts';
import classes from './rich-text.module.css';

export interface RichTextProps {
  /** Initial HTML. */
  value: string;
  /** Receives the HTML as it is written; '' if there is no text. */
  onChange: (html: string) => void;
  label: string;
  /** Extension that writes tables. */
  tables: AnyExtension;
}

/** Extensions for text and its formats. The starter kit would add all of its own to the script, used or not. */
const WRITING = [
  Document,
  Paragraph,
  Text,
  Heading.configure({ levels: [2, 3, 4] }),
  Bold,
  Italic,
  Underline,
  Strike,
  Code,
  CodeBlock,
  LinkMark,
  BulletList,
  OrderedList,
  ListItem,
  ListKeymap,
  Blockquote,
  HardBreak,
  HorizontalRule,
  UndoRedo,
  Gapcursor,
  Dropcursor,
  // The user can always continue to write after a picture, a table or code.
  TrailingNode,
];
const IMAGES = 'image/png,image/jpeg,image/webp';

/** Editor for text with headings, lists, links, pictures, tables and code. */
export function RichText({ value, onChange, label, tables }: RichTextProps) {
  const { t } = useTranslation();
  const labels = useLabels();
  const editor = useEditor({
    extensions: [
      ...WRITING,
      tables,
      getUploadImageExtension(Image, {
        onImageUpload: async (file) => ({
          src: (await upload(uploadArticleImage, { file })).path,
          alt: file.name.replace(/\.\w+$/, ''),
        }),
        onImageUploadError: (file, error) =>
          void toast('error', t('editor.image_failed', { name: file.name, reason: sentenceOf(error) })),
      }),
    ],
    content: value,
    ...(styleNonce !== undefined && { injectNonce: styleNonce }),
    editorProps: { attributes: { 'aria-label': label, role: 'textbox', 'aria-multiline': 'true' } },
    onUpdate: ({ editor: written }) => onChange(written.isEmpty ? '' : written.getHTML()),
  });
  const inTable = useEditorState({ editor, selector: (state) => state.editor?.isActive('table') ?? false });
  // The two libraries name the same class by two declarations, one for import and one for require.
  const shown = editor as unknown as ComponentProps<typeof RichTextEditor>['editor'];
  return (
    <RichTextEditor editor={shown} labels={labels} className={classes.editor!}>
      <RichTextEditor.Toolbar sticky stickyOffset={0}>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.H2 />
          <RichTextEditor.H3 />
          <RichTextEditor.H4 />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Bold />
          <RichTextEditor.Italic />
          <RichTextEditor.Underline />
          <RichTextEditor.Strikethrough />
          <RichTextEditor.Code />
          <RichTextEditor.ClearFormatting />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.BulletList />
          <RichTextEditor.OrderedList />
          <RichTextEditor.Blockquote />
          <RichTextEditor.CodeBlock />
          <RichTextEditor.Hr />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Link />
          <RichTextEditor.Unlink />
          <RichTextEditor.ImageUpload accept={IMAGES} />
          <RichTextEditor.TableInsert />
        </RichTextEditor.ControlsGroup>
        {inTable && (
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.TableColumnAfter />
            <RichTextEditor.TableColumnDelete />
            <RichTextEditor.TableRowAfter />
            <RichTextEditor.TableRowDelete />
            <RichTextEditor.TableToggleHeaderRow />
            <RichTextEditor.TableDelete />
          </RichTextEditor.ControlsGroup>
        )}
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Undo />
          <RichTextEditor.Redo />
        </RichTextEditor.ControlsGroup>
      </RichTextEditor.Toolbar>
      <RichTextEditor.Content />
    </RichTextEditor>
  );
}

/** Returns the labels of the controls in the current language. */
function useLabels(): Partial<RichTextEditorLabels> {
  const { t } = useTranslation();
  return useMemo(
    () => ({
      boldControlLabel: t('editor.bold'),
      italicControlLabel: t('editor.italic'),
      underlineControlLabel: t('editor.underline'),
      strikeControlLabel: t('editor.strike'),
      clearFormattingControlLabel: t('editor.clear'),
      h2ControlLabel: t('editor.heading', { level: 1 }),
      h3ControlLabel: t('editor.heading', { level: 2 }),
      h4ControlLabel: t('editor.heading', { level: 3 }),
      bulletListControlLabel: t('editor.bullets'),
      orderedListControlLabel: t('editor.numbers'),
      blockquoteControlLabel: t('editor.quote'),
      hrControlLabel: t('editor.rule'),
      codeControlLabel: t('editor.code'),
      codeBlockControlLabel: t('editor.code_block'),
      linkControlLabel: t('editor.link'),
      unlinkControlLabel: t('editor.unlink'),
      linkEditorInputLabel: t('editor.link_address'),
      linkEditorExternalLink: t('editor.link_external'),
      linkEditorInternalLink: t('editor.link_internal'),
      linkEditorSave: t('actions.save'),
      imageUploadControlLabel: t('editor.image'),
      tableInsertControlLabel: t('editor.table'),
      tableInsertLabel: (columns: number, rows: number) => t('editor.table_size', { columns, rows }),
      tableDeleteControlLabel: t('editor.table_delete'),
      tableColumnAfterControlLabel: t('editor.column_add'),
      tableColumnDeleteControlLabel: t('editor.column_delete'),
      tableRowAfterControlLabel: t('editor.row_add'),
      tableRowDeleteControlLabel: t('editor.row_delete'),
      tableToggleHeaderRowControlLabel: t('editor.header_row'),
      undoControlLabel: t('editor.undo'),
      redoControlLabel: t('editor.redo'),
    }),
    [t],
  );
}
