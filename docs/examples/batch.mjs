import { Heliograph } from '@heliograph/client';

const heliograph = new Heliograph({ url: process.env.HELIOGRAPH_URL, key: process.env.HELIOGRAPH_API_KEY });

const batch = await heliograph.sendBatch(
  {
    from: 'ACME',
    text: 'Hello {name}, your parcel arrives {param1}.',
    recipients: [
      { to: '639170000001', params: { name: 'Ana', param1: 'today' } },
      { to: '639170000002', text: 'Hello, your parcel is late.' },
      { to: '12' },
    ],
  },
  { idempotencyKey: 'parcels-today' },
);
console.log(`${batch.id}: ${batch.accepted} of ${batch.total} accepted, ${batch.price} ${batch.currency}`);
for (const { index, to, detail } of batch.rejected) console.log(`recipient ${index}, ${to}: ${detail}`);
