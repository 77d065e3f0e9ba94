import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface NoteDialogProps {
  title: string;
  /** Over the note's field. */
  label: string;
  hint: string;
  /** Characters a note may have. */
  longest?: number;
  /** On the button that does it. */
  action: string;
  danger?: boolean;
  busy: boolean;
  /** Gets the note without spaces around it, or undefined where there is none. */
  onAct: (note: string | undefined) => void;
  onClose: () => void;
  /** What is about to be done. */
  children: ReactNode;
  /** Said over the buttons. */
  fault?: ReactNode;
}

/** Asks before something is done, with room for a note that goes with it. */
export function NoteDialog({ longest = 300, danger = false, ...props }: NoteDialogProps) {
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
            onClick={() => props.onAct(note.trim() || undefined)}
          >
            {props.action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
