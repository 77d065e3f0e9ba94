import { MESSAGE_CLASSES } from '@heliograph/contract/kernel/states';
import type { MessageClass } from '#platform/database/schema';

/** Classes in the order in which they leave. */
export const CLASSES: readonly MessageClass[] = MESSAGE_CLASSES;

/** Urgent messages go before bulk, and have a rate of their own on a link that the carrier slows. */
export type Urgency = 'urgent' | 'bulk';

/** Urgency of each class. */
export const URGENCY = { otp: 'urgent', transactional: 'urgent', bulk: 'bulk' } as const satisfies Record<
  MessageClass,
  Urgency
>;

/** Answers whether messages of a class go before bulk. */
export const isUrgent = (messageClass: MessageClass): boolean => URGENCY[messageClass] === 'urgent';
