<?php

declare(strict_types=1);

namespace Heliograph;

/**
 * Requests to the platform, and their tries.
 *
 * @internal
 */
final class Connection
{
    private const FIRST_WAIT = 0.5;
    private const LONGEST_WAIT = 20.0;
    /** A longer Retry-After, in seconds, makes the call fail immediately. */
    private const LONGEST_RETRY_AFTER = 120.0;
    /** Longest silence of a stream in seconds: the platform sends a line every 15 seconds. */
    private const SILENCE = 45.0;

    /** Kept open, so that calls that follow use one connection. */
    private ?\CurlHandle $handle = null;

    public function __construct(
        private readonly string $url,
        #[\SensitiveParameter] private readonly string $key,
        private readonly float $timeout,
        private readonly int $retries,
    ) {
    }

    /**
     * Returns the body of the answer.
     *
     * @param array<string, string|int|bool|null> $query
     */
    public function call(
        string $method,
        string $path,
        array $query,
        ?string $content,
        ?string $idempotencyKey,
        bool $repeatable,
    ): string {
        return $this->tried(fn () => $this->once($method, $path, $query, $content, $idempotencyKey, $repeatable), $repeatable);
    }

    /**
     * Yields the fields of the frames of a stream, until the connection breaks or is silent.
     *
     * @param array<string, string|null> $query
     * @return \Generator<int, array<string, string>>
     */
    public function frames(string $path, array $query): \Generator
    {
        $received = '';
        $headers = [];
        [$multi, $handle] = $this->tried(function () use ($path, $query, &$received, &$headers) {
            $received = '';
            $headers = [];
            $handle = $this->prepared('GET', $path, $query, null, null, $headers);
            curl_setopt($handle, CURLOPT_WRITEFUNCTION, function ($_, string $part) use (&$received) {
                $received .= $part;
                return strlen($part);
            });
            $multi = curl_multi_init();
            curl_multi_add_handle($multi, $handle);
            $until = microtime(true) + self::SILENCE;
            do {
                $open = $this->transfer($multi);
                $status = (int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
            } while ($open && ($status === 0 || $status >= 300) && microtime(true) < $until);
            if ($status >= 200 && $status < 300) {
                return [$multi, $handle];
            }
            $ended = curl_multi_info_read($multi);
            curl_multi_remove_handle($multi, $handle);
            throw $status === 0
                ? $this->failed($ended['result'] ?? CURLE_OPERATION_TIMEDOUT, curl_error($handle))
                : new ApiException($status, self::problem($received), self::retryAfter($headers['retry-after'] ?? null));
        }, true);
        try {
            $heard = microtime(true);
            $open = true;
            while (true) {
                while (preg_match('/\r?\n\r?\n/', $received, $end, PREG_OFFSET_CAPTURE) === 1) {
                    $frame = substr($received, 0, $end[0][1]);
                    $received = substr($received, $end[0][1] + strlen($end[0][0]));
                    yield self::fields($frame);
                }
                if (!$open || microtime(true) - $heard > self::SILENCE) {
                    return;
                }
                $before = strlen($received);
                $open = $this->transfer($multi);
                $heard = strlen($received) > $before ? microtime(true) : $heard;
            }
        } finally {
            curl_multi_remove_handle($multi, $handle);
            curl_multi_close($multi);
        }
    }

    /** Waits for some seconds. */
    public static function pause(float $seconds): void
    {
        usleep((int) ($seconds * 1_000_000));
    }

    /** Moves bytes, and returns whether more may come. */
    private function transfer(\CurlMultiHandle $multi): bool
    {
        curl_multi_exec($multi, $running);
        if ($running > 0) {
            curl_multi_select($multi, 1.0);
            curl_multi_exec($multi, $running);
        }
        return $running > 0;
    }

    /**
     * @template T
     * @param callable(): T $once
     * @return T
     */
    private function tried(callable $once, bool $repeatable): mixed
    {
        for ($tries = 0; ; $tries++) {
            try {
                return $once();
            } catch (ApiException | ConnectionException $error) {
                $wait = self::wait($error, $tries, $repeatable);
                if ($wait === null || $tries >= $this->retries) {
                    throw $error;
                }
                self::pause($wait);
            }
        }
    }

    /** Returns the seconds before another try; null if no try can help, or if one may do something twice. */
    private static function wait(ApiException|ConnectionException $error, int $tries, bool $repeatable): ?float
    {
        $wait = min(self::FIRST_WAIT * 2 ** $tries, self::LONGEST_WAIT) * (0.5 + mt_rand() / mt_getrandmax() / 2);
        if ($error instanceof ConnectionException) {
            return $repeatable ? $wait : null;
        }
        $refused = $error->status === 429 || $error->errorCode === 'idempotency_in_flight';
        if (!$refused && !($error->status >= 500 && $repeatable)) {
            return null;
        }
        $advised = $error->retryAfter ?? 0.0;
        return $advised > self::LONGEST_RETRY_AFTER ? null : max($advised, $wait);
    }

    /** @param array<string, string|int|bool|null> $query */
    private function once(
        string $method,
        string $path,
        array $query,
        ?string $content,
        ?string $idempotencyKey,
        bool $repeatable,
    ): string {
        $headers = [];
        $handle = $this->handle = $this->prepared($method, $path, $query, $content, $idempotencyKey, $headers, $this->handle);
        // On a connection that was used before, curl itself may send a request twice.
        curl_setopt($handle, CURLOPT_FRESH_CONNECT, !$repeatable);
        curl_setopt($handle, CURLOPT_RETURNTRANSFER, true);
        curl_setopt($handle, CURLOPT_TIMEOUT_MS, max(1, (int) ($this->timeout * 1000)));
        $answer = curl_exec($handle);
        if (!is_string($answer)) {
            throw $this->failed(curl_errno($handle), curl_error($handle));
        }
        $status = (int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
        if ($status >= 200 && $status < 300) {
            return $answer;
        }
        throw new ApiException($status, self::problem($answer), self::retryAfter($headers['retry-after'] ?? null));
    }

    /**
     * @param array<string, string|int|bool|null> $query
     * @param array<string, string> $headers Becomes the headers of the answer.
     */
    private function prepared(
        string $method,
        string $path,
        array $query,
        ?string $content,
        ?string $idempotencyKey,
        array &$headers,
        ?\CurlHandle $handle = null,
    ): \CurlHandle {
        $asked = http_build_query(array_map(
            fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : $value,
            array_filter($query, fn ($value) => $value !== null),
        ), '', '&', PHP_QUERY_RFC3986);
        $sent = ["Authorization: Bearer $this->key", 'Expect:'];
        if ($content !== null) {
            $sent[] = 'Content-Type: application/json';
        }
        if ($idempotencyKey !== null) {
            $sent[] = "Idempotency-Key: $idempotencyKey";
        }
        $handle ??= curl_init();
        curl_reset($handle);
        curl_setopt_array($handle, [
            CURLOPT_URL => $this->url . $path . ($asked === '' ? '' : "?$asked"),
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $sent,
            CURLOPT_USERAGENT => 'heliograph-php/' . Version::NUMBER,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            // A key is for one host only, so redirects are refused.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_CONNECTTIMEOUT_MS => max(1, (int) ($this->timeout * 1000)),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$headers) {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $headers[strtolower($name)] = trim($value);
                return strlen($line);
            },
        ]);
        if ($content !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $content);
        }
        return $handle;
    }

    private function failed(int $code, string $cause): ConnectionException
    {
        $host = substr($this->url, strpos($this->url, '//') + 2);
        return $code === CURLE_OPERATION_TIMEDOUT
            ? new ConnectionException("$host did not answer in time.", true)
            : new ConnectionException("$host could not be reached: $cause.", false);
    }

    /** @return array<string, mixed> */
    private static function problem(string $content): array
    {
        $problem = json_decode($content, true);
        return is_array($problem) ? $problem : [];
    }

    /** Reads a Retry-After header, which holds seconds or a date. */
    private static function retryAfter(?string $header): ?float
    {
        if ($header === null || ctype_digit($header)) {
            return $header === null ? null : (float) $header;
        }
        $at = strtotime($header);
        return $at === false ? null : max(0.0, (float) ($at - time()));
    }

    /** @return array<string, string> */
    private static function fields(string $frame): array
    {
        $fields = [];
        foreach (preg_split('/\r?\n/', $frame) ?: [] as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            if ($name !== '') {
                $fields[$name] = str_starts_with($value, ' ') ? substr($value, 1) : $value;
            }
        }
        return $fields;
    }
}
