<?php

declare(strict_types=1);

namespace Heliograph;

/** Value of the API. `json_encode` writes it with the names of the API. */
abstract class Record implements \JsonSerializable
{
    /** Properties that are objects in JSON, even if they are empty. */
    protected const MAPS = [];

    /** Properties for which null is a value to send. */
    protected const NULLABLE = [];

    /**
     * Makes it from decoded JSON, such as `data` of an event.
     *
     * @param array<string, mixed> $data
     */
    abstract public static function fromArray(array $data): static;

    public function jsonSerialize(): object
    {
        $fields = [];
        foreach (get_object_vars($this) as $name => $value) {
            if ($value === Omit::Field || ($value === null && !in_array($name, static::NULLABLE, true))) {
                continue;
            }
            $field = strtolower((string) preg_replace('/[A-Z]/', '_$0', $name));
            $fields[$field] = in_array($name, static::MAPS, true) ? (object) $value : $value;
        }
        return (object) $fields;
    }
}
