<?php

declare(strict_types=1);

namespace Heliograph;

/**
 * Page of a list.
 *
 * @template T
 */
final class Page
{
    /**
     * @param list<T> $data
     * @param string|null $nextCursor Place of the next page: store it when you have processed the items.
     */
    public function __construct(
        public readonly array $data,
        public readonly ?string $nextCursor,
        public readonly bool $hasMore,
    ) {
    }

    /**
     * @template U
     * @param array<string, mixed> $page
     * @param callable(array<string, mixed>): U $item
     * @return self<U>
     */
    public static function fromArray(array $page, callable $item): self
    {
        return new self(array_map($item, $page['data'] ?? []), $page['next_cursor'] ?? null, $page['has_more'] ?? false);
    }
}
