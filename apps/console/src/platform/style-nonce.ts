/**
 * Nonce that allows this page to write style elements; undefined if its server sets none, as in development. Browsers
 * reveal it only to scripts.
 */
export const styleNonce: string | undefined =
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce || undefined;

// Dialogs stop the page behind them from scrolling. Their library looks for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
