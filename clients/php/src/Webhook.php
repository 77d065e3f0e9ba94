<?php

declare(strict_types=1);

namespace Heliograph;

/** Signatures of callbacks, by Standard Webhooks 1.0. */
final class Webhook
{
    public const TOLERANCE_SECONDS = 300;

    /**
     * Checks a callback and returns its event.
     *
     * @param string $payload The body exactly as it arrived.
     * @param array<string, string|list<string>> $headers Of `getallheaders()`, `$_SERVER` or a PSR-7 request.
     * @param string|list<string> $secrets The valid ones: one, or two while the secret changes.
     * @throws WebhookException
     */
    public static function verify(
        string $payload,
        array $headers,
        #[\SensitiveParameter] string|array $secrets,
        int $toleranceSeconds = self::TOLERANCE_SECONDS,
    ): Event {
        $lower = [];
        foreach ($headers as $name => $value) {
            $name = strtolower(str_replace('_', '-', (string) $name));
            $lower[str_starts_with($name, 'http-') ? substr($name, 5) : $name] = is_array($value) ? $value[0] ?? '' : $value;
        }
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            if (!is_string($lower[$name] ?? null) || $lower[$name] === '') {
                throw new WebhookException("The header $name is missing.");
            }
        }
        $id = $lower['webhook-id'];
        $stamp = $lower['webhook-timestamp'];
        if (preg_match('/\A\d{1,12}\z/', $stamp) !== 1) {
            throw new WebhookException('The header webhook-timestamp is not a number of seconds.');
        }
        if (abs(time() - (int) $stamp) > $toleranceSeconds) {
            throw new WebhookException('The callback is too old, or the clock of this computer is wrong.');
        }
        $given = explode(' ', $lower['webhook-signature']);
        foreach ((array) $secrets as $secret) {
            $wanted = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$stamp.$payload", self::key($secret), true));
            foreach ($given as $each) {
                if (hash_equals($wanted, $each)) {
                    return Event::fromArray(['id' => $id] + self::decoded($payload));
                }
            }
        }
        throw new WebhookException('No signature of the callback matches any of the secrets.');
    }

    private static function key(#[\SensitiveParameter] string $secret): string
    {
        $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6), true) : false;
        if ($key === false || $key === '') {
            throw new WebhookException('The secret must be as the console showed it; it begins with whsec_.');
        }
        return $key;
    }

    /** @return array<string, mixed> */
    private static function decoded(string $payload): array
    {
        $event = json_decode($payload, true, 512, JSON_BIGINT_AS_STRING);
        if (!is_array($event)) {
            throw new WebhookException('The body of the callback is not JSON.');
        }
        return $event;
    }
}
