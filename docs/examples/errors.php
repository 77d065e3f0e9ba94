<?php
/** Sends a message once, also if it retries: each attempt has the same Idempotency-Key. */
function send(array $message, int $tries = 5): array
{
    $key = bin2hex(random_bytes(16));
    for ($attempt = 1; ; $attempt++) {
        $context = stream_context_create(['http' => [
            'method' => 'POST',
            'timeout' => 30,
            'ignore_errors' => true,
            'header' => [
                'Authorization: Bearer ' . getenv('HELIOGRAPH_API_KEY'),
                'Content-Type: application/json',
                'Idempotency-Key: ' . $key,
            ],
            'content' => json_encode($message),
        ]]);
        $body = @file_get_contents(getenv('HELIOGRAPH_URL') . '/v1/messages', false, $context);
        $status = $body === false ? 0 : (int) explode(' ', $http_response_header[0])[1];
        $again = $status === 0 || $status === 429 || $status >= 500;
        if (!$again || $attempt === $tries) {
            return [$status, json_decode((string) $body, true)];
        }
        usleep((int) (500_000 * 2 ** ($attempt - 1) * random_int(50, 100) / 100));
    }
}

[$status, $answer] = send(['from' => 'ACME', 'to' => '12', 'text' => 'Hello']);
echo $status, ' ', $answer['code'] ?? '', ' ', json_encode($answer['errors'] ?? null), "\n";
