import { Heliograph } from '@heliograph/client';

const heliograph = new Heliograph({ url: process.env.HELIOGRAPH_URL, key: process.env.HELIOGRAPH_API_KEY });

const message = await heliograph.send(
  { from: 'ACME', to: '+63 917 000 0001', text: 'Your order 1001 is on its way.', client_ref: 'order-1001' },
  { idempotencyKey: 'order-1001-shipped' },
);
console.log(message.id, message.state, message.price, message.currency);
