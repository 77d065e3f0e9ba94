<?php

declare(strict_types=1);

namespace Heliograph;

/** Base of the errors of this client. */
class HeliographException extends \RuntimeException
{
}
