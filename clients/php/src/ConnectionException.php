<?php

declare(strict_types=1);

namespace Heliograph;

/** No answer came: it is unknown whether the request was processed. */
final class ConnectionException extends HeliographException
{
    /** @param bool $timeout True if the answer took too long. */
    public function __construct(string $message, public readonly bool $timeout)
    {
        parent::__construct($message);
    }
}
