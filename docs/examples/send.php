<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'timeout' => 30,
    'ignore_errors' => true,
    'header' => [
        'Authorization: Bearer ' . getenv('HELIOGRAPH_API_KEY'),
        'Content-Type: application/json',
        'Idempotency-Key: order-1001-shipped',
    ],
    'content' => json_encode([
        'from' => 'ACME',
        'to' => '+63 917 000 0001',
        'text' => 'Your order 1001 is on its way.',
        'client_ref' => 'order-1001',
    ]),
]]);
$message = json_decode(file_get_contents(getenv('HELIOGRAPH_URL') . '/v1/messages', false, $context), true);
if (!isset($message['id'])) {
    exit($message['message'] . "\n");
}
echo "{$message['id']} {$message['state']} {$message['price']} {$message['currency']}\n";
