import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyWebhook, WebhookError } from '@heliograph/client';

const seen = new Set();

createServer(async (request, response) => {
  try {
    const { id, event } = await verifyWebhook(
      await text(request),
      request.headers,
      process.env.HELIOGRAPH_WEBHOOK_SECRET,
    );
    if (!seen.has(id)) console.log(event.type, event.data);
    seen.add(id);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookError ? 400 : 500).end();
  }
}).listen(process.env.PORT ?? 3000);
