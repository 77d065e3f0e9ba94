import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDialog } from './dialogs.ts';

/** Outlet that shows the requested dialog above everything else that is open. */
export function DialogOutlet() {
  const { t } = useTranslation();
  const dialog = useDialog((s) => s.dialog);
  const [busy, setBusy] = useState(false);
  if (!dialog) return null;
  const close = () => useDialog.setState({ dialog: null });
  const cancel = () => {
    close();
    dialog.onCancel?.();
  };
  async function confirm() {
    setBusy(true);
    try {
      await dialog?.onConfirm?.();
    } finally {
      setBusy(false);
      // The action may have opened another dialog; that one stays.
      if (useDialog.getState().dialog === dialog) close();
    }
  }
  return (
    <Modal
      opened
      onClose={cancel}
      title={<Text fw={600}>{dialog.title}</Text>}
      role="alertdialog"
      zIndex={400}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Text size="sm">{dialog.text}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={cancel} data-autofocus>
          {dialog.cancel ?? t(dialog.confirm ? 'actions.cancel' : 'actions.close')}
        </Button>
        {dialog.confirm && (
          <Button color={dialog.danger ? 'red.8' : 'brand'} loading={busy} onClick={() => void confirm()}>
            {dialog.confirm}
          </Button>
        )}
      </Group>
    </Modal>
  );
}
