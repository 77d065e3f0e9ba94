<?php

declare(strict_types=1);

namespace Heliograph;

/** The API of a Heliograph platform. Every call tries again by itself if that is safe and can help. */
final class Heliograph extends Calls
{
    private readonly Connection $connection;

    /**
     * @param string $url Address of the platform, such as https://sms.example.com.
     * @param string $key API key of the console.
     * @param float $timeout Longest wait for one answer, in seconds.
     * @param int $retries Most tries after the first.
     * @throws HeliographException
     */
    public function __construct(string $url, #[\SensitiveParameter] string $key, float $timeout = 30.0, int $retries = 4)
    {
        $parts = parse_url($url);
        if (!in_array($parts['scheme'] ?? '', ['http', 'https'], true) || !isset($parts['host'])) {
            throw new HeliographException("The url must be like https://sms.example.com, not \"$url\".");
        }
        if ($key === '') {
            throw new HeliographException('The key is missing. Create one in the console, under API keys.');
        }
        $this->connection = new Connection(rtrim($url, '/'), $key, $timeout, $retries);
    }

    /**
     * Yields the items of all pages of a list: `$client->every($client->listMessages(...), batchId: '5')`.
     *
     * @template T
     * @param callable(never...): Page<T> $call
     * @return \Generator<int, T>
     * @throws HeliographException
     */
    public function every(callable $call, mixed ...$given): \Generator
    {
        foreach ($this->pages($call, ...$given) as $page) {
            foreach ($page->data as $item) {
                yield $item;
            }
        }
    }

    /**
     * Yields the pages of a list. Store `nextCursor` of a page when you have processed its items.
     *
     * @template T
     * @param callable(never...): Page<T> $call
     * @return \Generator<int, Page<T>>
     * @throws HeliographException
     */
    public function pages(callable $call, mixed ...$given): \Generator
    {
        do {
            $page = $call(...$given);
            yield $page;
            $given['cursor'] = $page->nextCursor;
        } while ($page->hasMore);
    }

    /**
     * Yields the events as they happen. The `id` of an event is the cursor with which reading continues later. A connection
     * that breaks is made again after the last event, so that none is missed.
     *
     * @param string|null $cursor Cursor of the last event that was processed, or `now`; otherwise the oldest event is the first.
     * @param string|null $types Types of events, separated by commas.
     * @param string|null $since Time from which events are sent again, RFC 3339; up to 7 days ago.
     * @param string|null $share Part of the events, such as `2/4` for the second of four programs.
     * @param string|null $group Name under which the platform stores the place of this program.
     * @return \Generator<int, Event>
     * @throws HeliographException
     */
    public function streamEvents(
        ?string $cursor = null,
        ?string $types = null,
        ?string $since = null,
        ?string $share = null,
        ?string $group = null,
    ): \Generator {
        $wait = 2.0;
        while (true) {
            $query = compact('cursor', 'types', 'since', 'share', 'group');
            foreach ($this->connection->frames('/v1/events/stream', $query) as $frame) {
                $wait = isset($frame['retry']) ? (float) $frame['retry'] / 1000 : $wait;
                if (!isset($frame['id'], $frame['data'])) {
                    continue;
                }
                $cursor = $frame['id'];
                yield Event::fromArray(['id' => $cursor] + $this->decoded($frame['data']));
            }
            Connection::pause($wait);
        }
    }

    protected function json(
        string $method,
        string $path,
        array $query = [],
        ?object $body = null,
        ?string $idempotencyKey = null,
        bool $repeatable = true,
    ): array {
        return $this->decoded($this->bytes($method, $path, $query, $body, $idempotencyKey, $repeatable));
    }

    protected function bytes(
        string $method,
        string $path,
        array $query = [],
        ?object $body = null,
        ?string $idempotencyKey = null,
        bool $repeatable = true,
    ): string {
        $content = $body === null ? null : json_encode($body, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
        return $this->connection->call($method, $path, $query, $content, $idempotencyKey, $repeatable);
    }

    /** @return array<string, mixed> */
    private function decoded(string $content): array
    {
        $value = json_decode($content, true, 512, JSON_BIGINT_AS_STRING);
        if (!is_array($value)) {
            throw new HeliographException('The answer of the platform is not JSON.');
        }
        return $value;
    }
}
