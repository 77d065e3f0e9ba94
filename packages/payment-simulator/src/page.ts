import type { Payment } from './book.ts';

const NAMES = { stripe: 'Stripe', paymongo: 'PayMongo', maya: 'Maya' } as const;

const plain = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:8vh auto;padding:0 1rem}
h1{font-size:1.15rem;margin:0}strong{display:block;font-size:2.2rem;line-height:1.2;margin:.5rem 0}
form{display:grid;gap:.6rem;margin-top:1.5rem}button{font:inherit;padding:.7rem;border-radius:.5rem;border:1px solid #8888;cursor:pointer}
button.main{background:#2f6fde;color:#fff;border-color:#2f6fde}p{color:GrayText}`;

/** Returns the hosted page of a payment, with a button for each outcome. */
export function checkoutPage(payment: Payment): string {
  const button = (outcome: string, text: string, main = false) =>
    `<button name="outcome" value="${outcome}"${main ? ' class="main"' : ''}>${text}</button>`;
  const buttons =
    payment.state === 'challenge'
      ? button('confirm', 'Confirm in the bank’s page', true) + button('fail', 'Refuse in the bank’s page')
      : button('pay', 'Pay', true) +
        button('challenge', 'Pay after a check by the bank') +
        button('fail', 'Let the card be declined') +
        button('abandon', 'Go back without paying');
  const over = !['open', 'challenge', 'failed'].includes(payment.state);
  return page(
    `<h1>${NAMES[payment.provider]} (simulated)</h1><strong>${(payment.amount / 100).toFixed(2)} ${plain(payment.currency)}</strong>
<p>${plain(payment.description)}<br>Reference ${plain(payment.reference)}. No money moves.</p>
${over ? '<p>This page is no longer open.</p>' : `<form method="post">${buttons}</form>`}`,
  );
}

const page = (body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Simulated payment</title><style>${STYLE}</style><main>${body}</main></html>`;
