<?php

declare(strict_types=1);

namespace Heliograph;

/** Something that happened: an item of the feed or of the stream, or a callback. */
final class Event extends Record
{
    protected const MAPS = ['data'];

    /**
     * @param string $id The same at every try of a callback: ignore one that you have processed. In the stream, the cursor with which reading continues later.
     * @param string $type Kind of the event, such as `message.delivered`.
     * @param string $timestamp Time of the event, RFC 3339.
     * @param array<string, mixed> $data Fields by the type: `MessageDeliveredCallbackData::fromArray($event->data)`.
     */
    public function __construct(
        public readonly string $id,
        public readonly string $type,
        public readonly string $timestamp,
        public readonly array $data,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self($data['id'] ?? '', $data['type'] ?? '', $data['timestamp'] ?? '', $data['data'] ?? []);
    }
}
