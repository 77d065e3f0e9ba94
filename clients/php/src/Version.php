<?php

// Made by scripts/generate-clients.ts.

declare(strict_types=1);

namespace Heliograph;

/** Version of the platform that this client was made for. */
final class Version
{
    public const NUMBER = '0.2.0';
}
