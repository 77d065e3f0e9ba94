import { Input, Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '../../platform/connection.ts';
import type { RichTextProps } from './rich-text.tsx';

// Tables are a fifth of the editor's script. The two scripts load side by side.
const RichText = lazyPart(async () => {
  const [{ RichText: Editor }, { tables }] = await Promise.all([import('./rich-text.tsx'), import('./tables.ts')]);
  return (props: EditorProps) => <Editor {...props} tables={tables} />;
});

type EditorProps = Omit<RichTextProps, 'tables'>;

interface RichTextFieldProps extends EditorProps {
  error?: React.ReactNode;
}

/** Editor with its label. Its script is loaded when the editor is first drawn. */
export function RichTextField({ label, error, ...editor }: RichTextFieldProps) {
  return (
    <Input.Wrapper label={label} labelElement="div" error={error}>
      <Suspense fallback={<Skeleton h={340} />}>
        <RichText label={label} {...editor} />
      </Suspense>
    </Input.Wrapper>
  );
}
