<?php

declare(strict_types=1);

namespace Heliograph;

/** Error that the API answered. Its message is a sentence for people. */
final class ApiException extends HeliographException
{
    /** Code for programs; null if a proxy answered instead of the API. */
    public readonly ?string $errorCode;

    /** @var array<string, list<string>> Sentences by field, such as `recipients.3.to`. */
    public readonly array $errors;

    /** Id of the call, to name in a support request. */
    public readonly ?string $requestId;

    /** Whole body of the answer, as RFC 9457 defines it. */
    public readonly Problem $problem;

    /**
     * @param int $status HTTP status.
     * @param array<string, mixed> $problem
     * @param float|null $retryAfter Seconds to wait, if the answer named a time.
     */
    public function __construct(public readonly int $status, array $problem, public readonly ?float $retryAfter)
    {
        parent::__construct($problem['message'] ?? $problem['title'] ?? "The API answered $status.", $status);
        $this->errorCode = $problem['code'] ?? null;
        $this->errors = $problem['errors'] ?? [];
        $this->requestId = $problem['request_id'] ?? null;
        $this->problem = Problem::fromArray($problem);
    }
}
