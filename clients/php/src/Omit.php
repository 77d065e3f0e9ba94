<?php

declare(strict_types=1);

namespace Heliograph;

/** Default of the fields of a request for which null has a meaning: the field is left out. */
enum Omit
{
    case Field;
}
