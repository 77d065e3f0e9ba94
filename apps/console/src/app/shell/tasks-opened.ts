import { create } from 'zustand';

/** Whether the drawer of tasks is open. */
export const useTasks = create<{ opened: boolean }>()(() => ({ opened: false }));
