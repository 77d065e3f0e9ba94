import { PointerSensor, useSensor, useSensors } from '@dnd-kit/core';

const silent = () => undefined;
/**
 * Settings that keep a drag silent: the library would say English sentences with ids. The screens say in the user's
 * language what was moved, and what the keyboard does in place of the mouse.
 */
export const SILENT_DRAG = {
  announcements: { onDragStart: silent, onDragOver: silent, onDragEnd: silent, onDragCancel: silent },
  screenReaderInstructions: { draggable: '' },
} as const;

/** Returns sensors that begin a drag after a few pixels, so that a click stays a click. */
export const useDragSensors = () => useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 6 } }));
