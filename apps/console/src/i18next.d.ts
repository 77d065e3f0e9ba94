import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import type { DefaultNamespace, Namespace } from 'i18next';

declare module 'i18next' {
  // i18next's own check of keys takes the type checker twice as long, so its list of keys stays empty.
  interface CustomTypeOptions {
    resources: { translation: Readonly<Record<'', string>> };
    enableSelector: true;
  }
  interface TFunction<Ns extends Namespace = DefaultNamespace, KPrefix = undefined> {
    /** Returns the text of a key, or of the first of several keys that exists. */
    // biome-ignore lint/style/useShorthandFunctionType: joins the library's interface.
    (key: MessageKey | readonly MessageKey[], values?: object): string;
  }
}
