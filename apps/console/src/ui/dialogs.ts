import { create } from 'zustand';

/** A question, or a notice where it has no `confirm`. */
export interface Dialog {
  title: string;
  text: string;
  /** The word on the button that agrees. */
  confirm?: string;
  /** The word on the other button. */
  cancel?: string;
  danger?: boolean;
  onConfirm?: () => void | Promise<void>;
  onCancel?: () => void;
}

export const useDialog = create<{ dialog: Dialog | null }>()(() => ({ dialog: null }));

/** Asks or tells something in a dialog. */
export function openDialog(dialog: Dialog): void {
  useDialog.setState({ dialog });
}
