import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface NoteDialogProps {
  title: string;
  /** Label of the note's field. */
  label: string;
  hint: string;
  /** Maximum characters of a note. */
  longest?: number;
  /** True if the action needs a note. */
  required?: boolean;
  /** Label of the button that acts. */
  action: string;
  danger?: boolean;
  busy: boolean;
  /** Receives the note without surrounding spaces, or undefined if there is none. */
  onAct: (note: string | undefined) => void;
  onClose: () => void;
  /** Description of the action that will follow. */
  children: ReactNode;
  /** Error shown above the buttons. */
  fault?: ReactNode;
}

/** Dialog that asks before an action, with room for a note that is stored with it. */
export function NoteDialog({ longest = 300, danger = false, required = false, ...props }: NoteDialogProps) {
  const { t } = useTranslation();
  const [note, setNote] = useState('');
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={<Text fw={600}>{props.title}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        {props.children}
        <Textarea
          label={props.label}
          description={props.hint}
          maxLength={longest}
          required={required}
          autosize
          minRows={2}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {props.fault}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            {t('actions.cancel')}
          </Button>
          <Button
            color={danger ? 'red.8' : 'brand'}
            loading={props.busy}
            disabled={required && note.trim() === ''}
            onClick={() => props.onAct(note.trim() || undefined)}
          >
            {props.action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
