import { TYPING } from '@heliograph/contract/inbox/typing';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import i18next from 'i18next';
import { loadCounters } from '../../platform/counters.ts';
import { showOnDesktop } from '../../platform/desktop.ts';
import { hasText } from '../../platform/language.ts';
import { queryClient, readAgain } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';

/** Live notification: the server's sentence, if it sends one, and the subject. */
interface Notification {
  type?: string;
  message?: string;
  name?: string;
  campaign_id?: number;
  sender_id_id?: number;
  template_id?: number;
  top_up_id?: number;
  /** Condition of an alarm, and the link that it is about. */
  condition?: string;
  link_id?: number | null;
  /** Parts of the conversation in which a person writes. */
  conversation_ids?: readonly number[];
  user_id?: number;
  /** Screen of the subject. */
  to?: string;
}

/**
 * Handles a live notification. Reads everything on the screen again and shows the notification to the person. `open`
 * leads to its subject.
 */
export function receive(notification: Notification, open: (path: string) => void): void {
  if (notification.type === TYPING) {
    noteTyping(notification);
    return;
  }
  void loadCounters();
  // Inbound messages may arrive every second, and they change nothing else on a screen.
  const inbox = notification.type?.startsWith('inbox.');
  void readAgain(inbox ? ['inbox'] : []);
  const text = sentenceOf(notification);
  if (!text) return;
  const bad = notification.type?.endsWith('.failed') || notification.type === 'alarm.raised';
  void toast(bad ? 'error' : 'info', text);
  const subject = placeOf(notification);
  showOnDesktop(document.title, text, subject === undefined ? undefined : () => open(subject));
}

/** Keeps who writes a reply, for the screen that shows the conversation. */
function noteTyping({ conversation_ids = [], user_id }: Notification): void {
  for (const id of conversation_ids) queryClient.setQueryData(['typing', id], { user_id, at: Date.now() });
}

/** Subjects whose news have a sentence each. */
const SAYS = new Set(['billing', 'callbacks', 'scheduled-files', 'audit-streams']);

function placeOf({
  type,
  campaign_id,
  sender_id_id,
  template_id,
  top_up_id,
  condition,
  link_id,
  to,
}: Notification): string | undefined {
  if (to !== undefined) return to;
  if (sender_id_id !== undefined) return `/sender-ids/${sender_id_id}`;
  if (top_up_id !== undefined) return `/top-ups/${top_up_id}`;
  if (template_id !== undefined) return '/message-templates';
  if (campaign_id !== undefined) return `/campaign-history/${campaign_id}`;
  if (type?.endsWith('.destination_failing')) return `/${type.split('.')[0]}`;
  if (condition === undefined) return undefined;
  return link_id == null ? '/nodes' : `/links/${link_id}`;
}

function sentenceOf({ type = '', message, name, condition = '' }: Notification): string | undefined {
  if (message) return message;
  const [about, state = ''] = type.split('.');
  if (!name) return undefined;
  if (SAYS.has(about!) && hasText(keyIn('notifications', state)))
    return i18next.t(keyIn('notifications', state), { name });
  if (about === 'alarm') {
    const of = keyIn('alarms', state === 'ended' ? 'over' : 'begun', condition, 'title');
    return hasText(of) ? i18next.t(of, { name }) : undefined;
  }
  if (about === 'sender' || about === 'template') {
    const key = keyIn('notifications', 'sender', state);
    return hasText(key) ? i18next.t(key, { name }) : undefined;
  }
  if (about !== 'campaign') return undefined;
  const key = [keyIn('campaign_state', state), keyIn('notifications', state)].find(hasText);
  return key && i18next.t('notifications.campaign', { name, state: i18next.t(key) });
}
