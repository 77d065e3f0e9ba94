import { create } from 'zustand';

/** Question to the user, or a notice if it has no `confirm`. */
export interface Dialog {
  title: string;
  text: string;
  /** Label of the button that agrees. */
  confirm?: string;
  /** Label of the other button. */
  cancel?: string;
  danger?: boolean;
  onConfirm?: () => void | Promise<void>;
  onCancel?: () => void;
}

export const useDialog = create<{ dialog: Dialog | null }>()(() => ({ dialog: null }));

/** Opens a dialog with a question or a notice. */
export function openDialog(dialog: Dialog): void {
  useDialog.setState({ dialog });
}
