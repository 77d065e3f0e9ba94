import { type bulkUploadOf, getBulkUpload } from '@heliograph/contract/kernel/bulk-upload';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { Button, SimpleGrid } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { upload } from '../platform/call.ts';
import { useMay, useSession } from '../platform/session.ts';
import { FilePanel } from './file-reading.tsx';
import { FormProvider } from './form.tsx';
import type { Values } from './form-values.ts';

type Operation = ReturnType<typeof bulkUploadOf>;

interface BulkUploadProps {
  resource: Pick<AnyResource, 'name' | 'create'>;
  operation: Operation;
  title: string;
  columns: readonly string[];
  required: readonly string[];
  /** Rows of the sample file, below its header. */
  sample: readonly string[];
  /** Columns of the sample file; all if absent. */
  sampleColumns?: readonly string[];
  /** Description of the columns; a list of their names if absent. */
  hint?: string;
  /** Values that the fields begin with. */
  preset?: Values;
  /** Fields that apply to all records of a file. */
  children?: ReactNode;
}

/** Returns a button for a screen's header and the panel it opens. Both draw nothing if the user may not upload. */
export function useBulkUpload(props: BulkUploadProps): { button: ReactNode; panel: ReactNode } {
  const [open, setOpen] = useState(false);
  const may = useMay(props.operation.permission ?? '');
  if (!may) return { button: null, panel: null };
  if (open) return { button: null, panel: <BulkUpload {...props} onClose={() => setOpen(false)} /> };
  const button = (
    <Button variant="default" leftSection={<IconUpload size={16} stroke={1.6} />} onClick={() => setOpen(true)}>
      {props.title}
    </Button>
  );
  return { button, panel: null };
}

/** Panel that adds records from a CSV or XLSX file: their common values, and the file. */
function BulkUpload(props: BulkUploadProps & { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { resource, operation, columns, required } = props;
  const schema = operation.query as unknown as z.ZodObject;
  const own = useSession((s) => s.profile?.corporation_id ?? null);
  const [values, setValues] = useState<Values>(() => ({
    ...Object.fromEntries(
      Object.entries(schema.shape).map(([field, type]) => [field, (type as z.ZodType).safeParse(undefined).data]),
    ),
    ...('corporation_id' in schema.shape ? { corporation_id: own } : {}),
    ...props.preset,
  }));
  const query = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
  const ready = schema.safeParse(query).success;
  return (
    <FilePanel
      title={props.title}
      progress={{ operation: getBulkUpload, event: '.bulk.progress' }}
      send={(file, reading, onProgress) => upload(operation, { query: { ...query, ...reading }, file, onProgress })}
      onOver={() => void client.invalidateQueries({ queryKey: [resource.name] })}
      onClose={props.onClose}
      hint={
        ready
          ? [
              props.hint ?? t('bulk.header', { columns: columns.join(', '), required: required.join(', ') }),
              ...(columns.includes('number') ? [t('import.other_names')] : []),
            ].join(' ')
          : t('bulk.fill_first')
      }
      disabled={!ready}
      sample={{
        name: `${resource.name}.csv`,
        text: `${[(props.sampleColumns ?? columns).join(','), ...props.sample].join('\r\n')}\r\n`,
      }}
    >
      {props.children && (
        <FormProvider
          value={{
            name: resource.name,
            schema: resource.create,
            values,
            errors: {},
            row: null,
            set: (field, value) => setValues((before) => ({ ...before, [field]: value })),
          }}
        >
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>{props.children}</SimpleGrid>
        </FormProvider>
      )}
    </FilePanel>
  );
}
