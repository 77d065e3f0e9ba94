<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'timeout' => 60,
    'ignore_errors' => true,
    'header' => [
        'Authorization: Bearer ' . getenv('HELIOGRAPH_API_KEY'),
        'Content-Type: application/json',
        'Idempotency-Key: parcels-today',
    ],
    'content' => json_encode([
        'from' => 'ACME',
        'text' => 'Hello {name}, your parcel arrives {param1}.',
        'recipients' => [
            ['to' => '639170000001', 'params' => ['name' => 'Ana', 'param1' => 'today']],
            ['to' => '639170000002', 'text' => 'Hello, your parcel is late.'],
            ['to' => '12'],
        ],
    ]),
]]);
$batch = json_decode(file_get_contents(getenv('HELIOGRAPH_URL') . '/v1/batches', false, $context), true);
if (!isset($batch['id'])) {
    exit($batch['message'] . "\n");
}
echo "{$batch['id']}: {$batch['accepted']} of {$batch['total']} accepted, {$batch['price']} {$batch['currency']}\n";
foreach ($batch['rejected'] as $refused) {
    echo "recipient {$refused['index']}, {$refused['to']}: {$refused['detail']}\n";
}
