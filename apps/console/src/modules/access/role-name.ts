import { keyIn } from '@heliograph/contract/kernel/message-keys';
import i18next from 'i18next';

/** Returns a role's display name. The names of built-in roles are translated. */
export const roleName = (name: string): string => i18next.t(keyIn('roles', name), { defaultValue: name });
