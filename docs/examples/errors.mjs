import { ApiError, ConnectionError, Heliograph } from '@heliograph/client';

const heliograph = new Heliograph({ url: process.env.HELIOGRAPH_URL, key: process.env.HELIOGRAPH_API_KEY });

try {
  await heliograph.send({ from: 'ACME', to: '12', text: 'Hello' });
} catch (error) {
  if (error instanceof ApiError) console.log(error.status, error.code, error.errors);
  else if (error instanceof ConnectionError) console.log('Nobody answered:', error.message);
  else throw error;
}
