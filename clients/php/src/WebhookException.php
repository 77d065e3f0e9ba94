<?php

declare(strict_types=1);

namespace Heliograph;

/** A callback that is not from the platform: answer 400. */
final class WebhookException extends HeliographException
{
}
