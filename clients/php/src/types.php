<?php

// Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.

declare(strict_types=1);

namespace Heliograph;

final class Problem extends Record
{
    public const REASON_DATABASE_UNREACHABLE = 'database_unreachable';
    public const REASON_DATABASE_RESTARTING = 'database_restarting';
    public const REASON_DATABASE_READ_ONLY = 'database_read_only';
    public const REASON_DATABASE_CONNECTIONS = 'database_connections';
    public const REASON_DATABASE_LOCKED = 'database_locked';
    public const REASON_DATABASE_TOO_SLOW = 'database_too_slow';
    public const REASON_DATABASE_OUT_OF_MEMORY = 'database_out_of_memory';
    public const REASON_DATABASE_FULL = 'database_full';
    public const REASON_DATABASE_FAULT = 'database_fault';
    public const REASON_STORAGE_UNREACHABLE = 'storage_unreachable';
    public const REASON_STORAGE_FULL = 'storage_full';
    public const REASON_OVERLOADED = 'overloaded';
    public const REASON_STOPPING = 'stopping';

    protected const MAPS = ['errors'];

    /**
     * @param string $type Address of a page about this kind of error, relative to the address of the call.
     * @param string $title Name of this kind of error, the same each time.
     * @param int $status
     * @param string $code
     * @param string $requestId Id of the call. Include it when you ask about the call.
     * @param string $message
     * @param 'database_unreachable'|'database_restarting'|'database_read_only'|'database_connections'|'database_locked'|'database_too_slow'|'database_out_of_memory'|'database_full'|'database_fault'|'storage_unreachable'|'storage_full'|'overloaded'|'stopping'|string|null $reason Cause of the code `unavailable`, if it is known. The header Retry-After has the seconds to wait.
     * @param string|null $detail
     * @param array<string, list<string>>|null $errors Sentences by field; `recipients.3.to` is the `to` of the fourth recipient.
     */
    public function __construct(
        public readonly string $type,
        public readonly string $title,
        public readonly int $status,
        public readonly string $code,
        public readonly string $requestId,
        public readonly string $message,
        public readonly ?string $reason = null,
        public readonly ?string $detail = null,
        public readonly ?array $errors = null,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            type: $data['type'] ?? '',
            title: $data['title'] ?? '',
            status: $data['status'] ?? 0,
            code: $data['code'] ?? '',
            requestId: $data['request_id'] ?? '',
            message: $data['message'] ?? '',
            reason: $data['reason'] ?? null,
            detail: $data['detail'] ?? null,
            errors: $data['errors'] ?? null,
        );
    }
}

final class SendMessageRequest extends Record
{
    public const ENCODING_AUTO = 'auto';
    public const ENCODING_GSM = 'gsm';
    public const ENCODING_UCS2 = 'ucs2';
    public const CLASS_OTP = 'otp';
    public const CLASS_TRANSACTIONAL = 'transactional';
    public const CLASS_BULK = 'bulk';

    protected const MAPS = ['parameters'];

    /**
     * @param string $to Phone number in international format. Spaces, dashes and a leading + or 00 are allowed.
     * @param string $text At most 10 parts: 160 GSM characters or 70 others in one part, 153 or 67 in each of several.
     * @param string $from One of your sender IDs, as phones show it: 1 to 11 characters, or a number.
     * @param 'auto'|'gsm'|'ucs2'|null $encoding `gsm` refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: `"auto"`.
     * @param bool|null $flash Shown immediately and not kept by the phone. Your account must allow it. Default: `false`.
     * @param 'otp'|'transactional'|'bulk'|null $class `otp` (sign-in codes) is sent first, `bulk` last. Nothing is added to the text of an `otp` message. Default: `"transactional"`.
     * @param string|null $sendAt Earliest time to send, at most 7 days ahead, by RFC 3339. Without it: immediately.
     * @param int|null $validity Minutes after which the message is not delivered any more. The maximum of your account is also the default.
     * @param string|null $callbackUrl Address that receives the outcome of each message, besides your endpoints. The callback is signed in the same way.
     * @param array<string, string>|null $parameters Values of parameters that carriers ask for, by the names that the operator gave them, such as `dlt_template_id`. Your account must allow it. Default: `{}`.
     * @param bool|null $skipDead True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup.
     * @param list<string>|null $tags Your own labels, returned in answers and callbacks. Default: `[]`.
     * @param string|null $clientRef Your own reference, returned in answers and callbacks.
     * @param bool|null $uniqueRef If true, a `client_ref` that another message of this key has is refused. Default: `false`.
     */
    public function __construct(
        public readonly string $to,
        public readonly string $text,
        public readonly string $from,
        public readonly ?string $encoding = null,
        public readonly ?bool $flash = null,
        public readonly ?string $class = null,
        public readonly ?string $sendAt = null,
        public readonly ?int $validity = null,
        public readonly ?string $callbackUrl = null,
        public readonly ?array $parameters = null,
        public readonly ?bool $skipDead = null,
        public readonly ?array $tags = null,
        public readonly ?string $clientRef = null,
        public readonly ?bool $uniqueRef = null,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            to: $data['to'] ?? '',
            text: $data['text'] ?? '',
            from: $data['from'] ?? '',
            encoding: $data['encoding'] ?? null,
            flash: $data['flash'] ?? null,
            class: $data['class'] ?? null,
            sendAt: $data['send_at'] ?? null,
            validity: $data['validity'] ?? null,
            callbackUrl: $data['callback_url'] ?? null,
            parameters: $data['parameters'] ?? null,
            skipDead: $data['skip_dead'] ?? null,
            tags: $data['tags'] ?? null,
            clientRef: $data['client_ref'] ?? null,
            uniqueRef: $data['unique_ref'] ?? null,
        );
    }
}

final class SendMessageReply extends Record
{
    public const STATE_PENDING = 'pending';
    public const STATE_SCHEDULED = 'scheduled';

    /**
     * @param string $id Id, as a decimal string.
     * @param string $to Only digits. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.
     * @param 'pending'|'scheduled'|string $state
     * @param int $parts
     * @param string $price Reserved amount. Your account decides when it is charged.
     * @param string $currency
     * @param string|null $clientRef
     * @param string|null $sendAt
     * @param string $expiresAt
     * @param bool $test Sent with a test key: it goes to a test link and costs nothing.
     */
    public function __construct(
        public readonly string $id,
        public readonly string $to,
        public readonly string $state,
        public readonly int $parts,
        public readonly string $price,
        public readonly string $currency,
        public readonly ?string $clientRef,
        public readonly ?string $sendAt,
        public readonly string $expiresAt,
        public readonly bool $test,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            to: $data['to'] ?? '',
            state: $data['state'] ?? '',
            parts: $data['parts'] ?? 0,
            price: $data['price'] ?? '',
            currency: $data['currency'] ?? '',
            clientRef: $data['client_ref'] ?? null,
            sendAt: $data['send_at'] ?? null,
            expiresAt: $data['expires_at'] ?? '',
            test: $data['test'] ?? false,
        );
    }
}

final class EstimateMessageRequest extends Record
{
    public const ENCODING_AUTO = 'auto';
    public const ENCODING_GSM = 'gsm';
    public const ENCODING_UCS2 = 'ucs2';
    public const CLASS_OTP = 'otp';
    public const CLASS_TRANSACTIONAL = 'transactional';
    public const CLASS_BULK = 'bulk';

    /**
     * @param list<string> $to
     * @param string $text At most 10 parts: 160 GSM characters or 70 others in one part, 153 or 67 in each of several.
     * @param string $from One of your sender IDs, as phones show it: 1 to 11 characters, or a number.
     * @param 'auto'|'gsm'|'ucs2'|null $encoding `gsm` refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: `"auto"`.
     * @param bool|null $flash Shown immediately and not kept by the phone. Your account must allow it. Default: `false`.
     * @param 'otp'|'transactional'|'bulk'|null $class `otp` (sign-in codes) is sent first, `bulk` last. Nothing is added to the text of an `otp` message. Default: `"transactional"`.
     * @param bool|null $skipDead True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup.
     */
    public function __construct(
        public readonly array $to,
        public readonly string $text,
        public readonly string $from,
        public readonly ?string $encoding = null,
        public readonly ?bool $flash = null,
        public readonly ?string $class = null,
        public readonly ?bool $skipDead = null,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            to: $data['to'] ?? [],
            text: $data['text'] ?? '',
            from: $data['from'] ?? '',
            encoding: $data['encoding'] ?? null,
            flash: $data['flash'] ?? null,
            class: $data['class'] ?? null,
            skipDead: $data['skip_dead'] ?? null,
        );
    }
}

final class EstimateMessageReply extends Record
{
    public const ENCODING_GSM = 'gsm';
    public const ENCODING_UCS2 = 'ucs2';

    /**
     * @param string|null $text Text with the signature and the opt-out notice. Null if all recipients are refused.
     * @param 'gsm'|'ucs2'|string|null $encoding
     * @param int $messages Number of messages that would be accepted.
     * @param int $parts
     * @param string $price Amount with three decimals, as a decimal string.
     * @param string $currency
     * @param list<EstimateMessageReplyRecipientsItem> $recipients
     * @param list<EstimateMessageReplyRejectedItem> $rejected
     */
    public function __construct(
        public readonly ?string $text,
        public readonly ?string $encoding,
        public readonly int $messages,
        public readonly int $parts,
        public readonly string $price,
        public readonly string $currency,
        public readonly array $recipients,
        public readonly array $rejected,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            text: $data['text'] ?? null,
            encoding: $data['encoding'] ?? null,
            messages: $data['messages'] ?? 0,
            parts: $data['parts'] ?? 0,
            price: $data['price'] ?? '',
            currency: $data['currency'] ?? '',
            recipients: array_map(EstimateMessageReplyRecipientsItem::fromArray(...), $data['recipients'] ?? []),
            rejected: array_map(EstimateMessageReplyRejectedItem::fromArray(...), $data['rejected'] ?? []),
        );
    }
}

final class EstimateMessageReplyRecipientsItem extends Record
{
    /**
     * @param int $index
     * @param string $to
     * @param int $parts
     * @param string $price Amount with three decimals, as a decimal string.
     */
    public function __construct(
        public readonly int $index,
        public readonly string $to,
        public readonly int $parts,
        public readonly string $price,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            index: $data['index'] ?? 0,
            to: $data['to'] ?? '',
            parts: $data['parts'] ?? 0,
            price: $data['price'] ?? '',
        );
    }
}

final class EstimateMessageReplyRejectedItem extends Record
{
    /**
     * @param string $code
     * @param string|null $field
     * @param string $detail
     * @param int $index Position in the request, from 0.
     * @param string $to
     */
    public function __construct(
        public readonly string $code,
        public readonly ?string $field,
        public readonly string $detail,
        public readonly int $index,
        public readonly string $to,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            code: $data['code'] ?? '',
            field: $data['field'] ?? null,
            detail: $data['detail'] ?? '',
            index: $data['index'] ?? 0,
            to: $data['to'] ?? '',
        );
    }
}

final class GetMessageReply extends Record
{
    public const STATE_PENDING = 'pending';
    public const STATE_SUBMITTED = 'submitted';
    public const STATE_DELIVERED = 'delivered';
    public const STATE_EXPIRED = 'expired';
    public const STATE_CANCELLED = 'cancelled';
    public const STATE_FAILED_INTERNAL = 'failed_internal';
    public const STATE_FAILED_BILLING = 'failed_billing';
    public const STATE_FAILED_SUBMIT = 'failed_submit';
    public const STATE_FAILED_OTHER = 'failed_other';
    public const STATE_BLOCKED = 'blocked';
    public const STATE_SCHEDULED = 'scheduled';
    public const CLASS_OTP = 'otp';
    public const CLASS_TRANSACTIONAL = 'transactional';
    public const CLASS_BULK = 'bulk';
    public const ENCODING_GSM = 'gsm';
    public const ENCODING_UCS2 = 'ucs2';

    /**
     * @param string $id Id, as a decimal string.
     * @param string $from
     * @param string $to Number of the recipient. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.
     * @param string|null $text Text as it was sent. Null if the owner of the key may not see texts.
     * @param 'pending'|'submitted'|'delivered'|'expired'|'cancelled'|'failed_internal'|'failed_billing'|'failed_submit'|'failed_other'|'blocked'|'scheduled'|string $state
     * @param string|null $errorCode Error code of the carrier, or `moderation` if the platform rejected the message.
     * @param 'otp'|'transactional'|'bulk'|string $class
     * @param 'gsm'|'ucs2'|string $encoding
     * @param bool $flash
     * @param int $parts
     * @param string $price Amount with three decimals, as a decimal string.
     * @param string $currency
     * @param string|null $clientRef
     * @param list<string> $tags
     * @param string|null $callbackUrl
     * @param string|null $batchId
     * @param string|null $sendAt
     * @param string|null $expiresAt
     * @param string $createdAt
     * @param string|null $doneAt Time of the final state.
     * @param bool $test
     */
    public function __construct(
        public readonly string $id,
        public readonly string $from,
        public readonly string $to,
        public readonly ?string $text,
        public readonly string $state,
        public readonly ?string $errorCode,
        public readonly string $class,
        public readonly string $encoding,
        public readonly bool $flash,
        public readonly int $parts,
        public readonly string $price,
        public readonly string $currency,
        public readonly ?string $clientRef,
        public readonly array $tags,
        public readonly ?string $callbackUrl,
        public readonly ?string $batchId,
        public readonly ?string $sendAt,
        public readonly ?string $expiresAt,
        public readonly string $createdAt,
        public readonly ?string $doneAt,
        public readonly bool $test,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            from: $data['from'] ?? '',
            to: $data['to'] ?? '',
            text: $data['text'] ?? null,
            state: $data['state'] ?? '',
            errorCode: $data['error_code'] ?? null,
            class: $data['class'] ?? '',
            encoding: $data['encoding'] ?? '',
            flash: $data['flash'] ?? false,
            parts: $data['parts'] ?? 0,
            price: $data['price'] ?? '',
            currency: $data['currency'] ?? '',
            clientRef: $data['client_ref'] ?? null,
            tags: $data['tags'] ?? [],
            callbackUrl: $data['callback_url'] ?? null,
            batchId: $data['batch_id'] ?? null,
            sendAt: $data['send_at'] ?? null,
            expiresAt: $data['expires_at'] ?? null,
            createdAt: $data['created_at'] ?? '',
            doneAt: $data['done_at'] ?? null,
            test: $data['test'] ?? false,
        );
    }
}

final class SendBatchRequest extends Record
{
    public const ENCODING_AUTO = 'auto';
    public const ENCODING_GSM = 'gsm';
    public const ENCODING_UCS2 = 'ucs2';
    public const CLASS_OTP = 'otp';
    public const CLASS_TRANSACTIONAL = 'transactional';
    public const CLASS_BULK = 'bulk';

    protected const MAPS = ['parameters'];

    /**
     * @param list<SendBatchRecipient> $recipients
     * @param string $from One of your sender IDs, as phones show it: 1 to 11 characters, or a number.
     * @param string|null $text Text for every recipient without its own text. It may contain `{name}` and `{param1}` to `{param9}`.
     * @param 'auto'|'gsm'|'ucs2'|null $encoding `gsm` refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: `"auto"`.
     * @param bool|null $flash Shown immediately and not kept by the phone. Your account must allow it. Default: `false`.
     * @param 'otp'|'transactional'|'bulk'|null $class `otp` (sign-in codes) is sent first, `bulk` last. Nothing is added to the text of an `otp` message. Default: `"transactional"`.
     * @param string|null $sendAt Earliest time to send, at most 7 days ahead, by RFC 3339. Without it: immediately.
     * @param int|null $validity Minutes after which the message is not delivered any more. The maximum of your account is also the default.
     * @param string|null $callbackUrl Address that receives the outcome of each message, besides your endpoints. The callback is signed in the same way.
     * @param array<string, string>|null $parameters Values of parameters that carriers ask for, by the names that the operator gave them, such as `dlt_template_id`. Your account must allow it. Default: `{}`.
     * @param bool|null $skipDead True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup.
     * @param list<string>|null $tags Your own labels, returned in answers and callbacks. Default: `[]`.
     * @param string|null $clientRef Your own reference for the batch.
     * @param bool|null $uniqueRef If true, a `client_ref` that another message of this key has is refused. Default: `false`.
     */
    public function __construct(
        public readonly array $recipients,
        public readonly string $from,
        public readonly ?string $text = null,
        public readonly ?string $encoding = null,
        public readonly ?bool $flash = null,
        public readonly ?string $class = null,
        public readonly ?string $sendAt = null,
        public readonly ?int $validity = null,
        public readonly ?string $callbackUrl = null,
        public readonly ?array $parameters = null,
        public readonly ?bool $skipDead = null,
        public readonly ?array $tags = null,
        public readonly ?string $clientRef = null,
        public readonly ?bool $uniqueRef = null,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            recipients: array_map(SendBatchRecipient::fromArray(...), $data['recipients'] ?? []),
            from: $data['from'] ?? '',
            text: $data['text'] ?? null,
            encoding: $data['encoding'] ?? null,
            flash: $data['flash'] ?? null,
            class: $data['class'] ?? null,
            sendAt: $data['send_at'] ?? null,
            validity: $data['validity'] ?? null,
            callbackUrl: $data['callback_url'] ?? null,
            parameters: $data['parameters'] ?? null,
            skipDead: $data['skip_dead'] ?? null,
            tags: $data['tags'] ?? null,
            clientRef: $data['client_ref'] ?? null,
            uniqueRef: $data['unique_ref'] ?? null,
        );
    }
}

final class SendBatchRecipient extends Record
{
    /**
     * @param string $to Phone number in international format. Spaces, dashes and a leading + or 00 are allowed.
     * @param string|null $text Text for this recipient instead of the common one. It is sent unchanged.
     * @param SendBatchParams|null $params Values for `{name}` and `{param1}` to `{param9}` in the text.
     * @param string|null $clientRef Your own reference, returned in answers and callbacks.
     */
    public function __construct(
        public readonly string $to,
        public readonly ?string $text = null,
        public readonly ?SendBatchParams $params = null,
        public readonly ?string $clientRef = null,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            to: $data['to'] ?? '',
            text: $data['text'] ?? null,
            params: isset($data['params']) ? SendBatchParams::fromArray($data['params']) : null,
            clientRef: $data['client_ref'] ?? null,
        );
    }
}

final class SendBatchParams extends Record
{
    /**
     * @param string|null $name
     * @param string|null $param1
     * @param string|null $param2
     * @param string|null $param3
     * @param string|null $param4
     * @param string|null $param5
     * @param string|null $param6
     * @param string|null $param7
     * @param string|null $param8
     * @param string|null $param9
     */
    public function __construct(
        public readonly ?string $name = null,
        public readonly ?string $param1 = null,
        public readonly ?string $param2 = null,
        public readonly ?string $param3 = null,
        public readonly ?string $param4 = null,
        public readonly ?string $param5 = null,
        public readonly ?string $param6 = null,
        public readonly ?string $param7 = null,
        public readonly ?string $param8 = null,
        public readonly ?string $param9 = null,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            name: $data['name'] ?? null,
            param1: $data['param1'] ?? null,
            param2: $data['param2'] ?? null,
            param3: $data['param3'] ?? null,
            param4: $data['param4'] ?? null,
            param5: $data['param5'] ?? null,
            param6: $data['param6'] ?? null,
            param7: $data['param7'] ?? null,
            param8: $data['param8'] ?? null,
            param9: $data['param9'] ?? null,
        );
    }
}

final class SendBatchReply extends Record
{
    /**
     * @param string $id Id, as a decimal string.
     * @param int $total
     * @param int $accepted
     * @param int $parts
     * @param string $price Sum of the reserved amounts, as a decimal string.
     * @param string $currency
     * @param string|null $clientRef
     * @param list<string> $tags
     * @param list<EstimateMessageReplyRejectedItem> $rejected Recipients that were not accepted. They cost nothing.
     * @param bool $test
     */
    public function __construct(
        public readonly string $id,
        public readonly int $total,
        public readonly int $accepted,
        public readonly int $parts,
        public readonly string $price,
        public readonly string $currency,
        public readonly ?string $clientRef,
        public readonly array $tags,
        public readonly array $rejected,
        public readonly bool $test,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            total: $data['total'] ?? 0,
            accepted: $data['accepted'] ?? 0,
            parts: $data['parts'] ?? 0,
            price: $data['price'] ?? '',
            currency: $data['currency'] ?? '',
            clientRef: $data['client_ref'] ?? null,
            tags: $data['tags'] ?? [],
            rejected: array_map(EstimateMessageReplyRejectedItem::fromArray(...), $data['rejected'] ?? []),
            test: $data['test'] ?? false,
        );
    }
}

final class GetBatchReply extends Record
{
    protected const MAPS = ['states'];

    /**
     * @param string $id Id, as a decimal string.
     * @param int $total
     * @param int $accepted
     * @param int $parts
     * @param string $price Sum of the reserved amounts, as a decimal string.
     * @param string $currency
     * @param string|null $clientRef
     * @param list<string> $tags
     * @param list<EstimateMessageReplyRejectedItem> $rejected Recipients that were not accepted. They cost nothing.
     * @param array<string, int> $states
     * @param string $createdAt
     */
    public function __construct(
        public readonly string $id,
        public readonly int $total,
        public readonly int $accepted,
        public readonly int $parts,
        public readonly string $price,
        public readonly string $currency,
        public readonly ?string $clientRef,
        public readonly array $tags,
        public readonly array $rejected,
        public readonly array $states,
        public readonly string $createdAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            total: $data['total'] ?? 0,
            accepted: $data['accepted'] ?? 0,
            parts: $data['parts'] ?? 0,
            price: $data['price'] ?? '',
            currency: $data['currency'] ?? '',
            clientRef: $data['client_ref'] ?? null,
            tags: $data['tags'] ?? [],
            rejected: array_map(EstimateMessageReplyRejectedItem::fromArray(...), $data['rejected'] ?? []),
            states: $data['states'] ?? [],
            createdAt: $data['created_at'] ?? '',
        );
    }
}

final class StartVerificationRequest extends Record
{
    public const LANGUAGE_EN = 'en';
    public const LANGUAGE_CN = 'cn';
    public const LANGUAGE_ZH = 'zh';
    public const LANGUAGE_FP = 'fp';

    /**
     * @param string $service Verify service of your account; its id is on its page in the console.
     * @param string $to Phone number in international format. Spaces, dashes and a leading + or 00 are allowed.
     * @param 'en'|'cn'|'zh'|'fp'|null $language Language of the text. Without it: that of the service.
     * @param string|null $clientIp Address of the person, not of your server. Stored for 30 days.
     * @param string|null $device Your own id of the device or session. Stored for 30 days.
     * @param string|null $clientRef Your own reference, returned in answers and callbacks.
     */
    public function __construct(
        public readonly string $service,
        public readonly string $to,
        public readonly ?string $language = null,
        public readonly ?string $clientIp = null,
        public readonly ?string $device = null,
        public readonly ?string $clientRef = null,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            service: $data['service'] ?? '',
            to: $data['to'] ?? '',
            language: $data['language'] ?? null,
            clientIp: $data['client_ip'] ?? null,
            device: $data['device'] ?? null,
            clientRef: $data['client_ref'] ?? null,
        );
    }
}

final class StartVerificationReply extends Record
{
    public const STATUS_PENDING = 'pending';
    public const STATUS_APPROVED = 'approved';
    public const STATUS_FAILED = 'failed';
    public const STATUS_EXPIRED = 'expired';
    public const STATUS_CANCELLED = 'cancelled';
    public const LANGUAGE_EN = 'en';
    public const LANGUAGE_CN = 'cn';
    public const LANGUAGE_ZH = 'zh';
    public const LANGUAGE_FP = 'fp';

    /**
     * @param string $id Id, as a decimal string.
     * @param string $service Verify service whose rules it follows.
     * @param string $to Number. Masked, such as `63917•••••67`, if the key may not see numbers.
     * @param 'pending'|'approved'|'failed'|'expired'|'cancelled'|string $status `approved`: the right code was entered in time. `failed`: all tries were wrong.
     * @param 'en'|'cn'|'zh'|'fp'|string $language
     * @param int $attemptsLeft Codes that may still be checked.
     * @param int $resendsLeft
     * @param string|null $resendAt Earliest time of the next resend; null if there is none.
     * @param list<StartVerificationReplyMessagesItem> $messages Messages with the code, the first one first.
     * @param int $parts Parts of all its messages.
     * @param string $price Reserved amount of all its messages, with three decimals.
     * @param string $currency
     * @param string|null $clientRef
     * @param string $createdAt
     * @param string $expiresAt Time until which the code is valid.
     * @param string|null $doneAt Time of the final status.
     * @param bool $test
     */
    public function __construct(
        public readonly string $id,
        public readonly string $service,
        public readonly string $to,
        public readonly string $status,
        public readonly string $language,
        public readonly int $attemptsLeft,
        public readonly int $resendsLeft,
        public readonly ?string $resendAt,
        public readonly array $messages,
        public readonly int $parts,
        public readonly string $price,
        public readonly string $currency,
        public readonly ?string $clientRef,
        public readonly string $createdAt,
        public readonly string $expiresAt,
        public readonly ?string $doneAt,
        public readonly bool $test,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            service: $data['service'] ?? '',
            to: $data['to'] ?? '',
            status: $data['status'] ?? '',
            language: $data['language'] ?? '',
            attemptsLeft: $data['attempts_left'] ?? 0,
            resendsLeft: $data['resends_left'] ?? 0,
            resendAt: $data['resend_at'] ?? null,
            messages: array_map(StartVerificationReplyMessagesItem::fromArray(...), $data['messages'] ?? []),
            parts: $data['parts'] ?? 0,
            price: $data['price'] ?? '',
            currency: $data['currency'] ?? '',
            clientRef: $data['client_ref'] ?? null,
            createdAt: $data['created_at'] ?? '',
            expiresAt: $data['expires_at'] ?? '',
            doneAt: $data['done_at'] ?? null,
            test: $data['test'] ?? false,
        );
    }
}

final class StartVerificationReplyMessagesItem extends Record
{
    /**
     * @param string $id Id, as a decimal string.
     * @param string $state State as in `GET /v1/messages/{id}`.
     * @param string|null $errorCode
     */
    public function __construct(
        public readonly string $id,
        public readonly string $state,
        public readonly ?string $errorCode,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            state: $data['state'] ?? '',
            errorCode: $data['error_code'] ?? null,
        );
    }
}

final class CheckVerificationRequest extends Record
{
    /**
     * @param string $code Digits of the code. Blanks and dashes between them are ignored.
     */
    public function __construct(
        public readonly string $code,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            code: $data['code'] ?? '',
        );
    }
}

final class GetBalanceReply extends Record
{
    /**
     * @param string $billingAccount
     * @param string $credit Decimal string with three decimals.
     * @param string $reserved Amount set aside for messages without a final state.
     * @param string $creditLimit Amount by which the credit may go below zero.
     * @param string $available Amount that can be spent now.
     * @param string $currency
     * @param bool $suspended
     */
    public function __construct(
        public readonly string $billingAccount,
        public readonly string $credit,
        public readonly string $reserved,
        public readonly string $creditLimit,
        public readonly string $available,
        public readonly string $currency,
        public readonly bool $suspended,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            billingAccount: $data['billing_account'] ?? '',
            credit: $data['credit'] ?? '',
            reserved: $data['reserved'] ?? '',
            creditLimit: $data['credit_limit'] ?? '',
            available: $data['available'] ?? '',
            currency: $data['currency'] ?? '',
            suspended: $data['suspended'] ?? false,
        );
    }
}

final class ListInvoicesItem extends Record
{
    public const KIND_INVOICE = 'invoice';
    public const KIND_CREDIT_NOTE = 'credit_note';
    public const KIND_RECEIPT = 'receipt';
    public const STATUS_OPEN = 'open';
    public const STATUS_PART_PAID = 'part_paid';
    public const STATUS_OVERDUE = 'overdue';
    public const STATUS_PAID = 'paid';
    public const STATUS_CREDITED = 'credited';
    public const STATUS_ISSUED = 'issued';

    /**
     * @param string $id Id, as a decimal string.
     * @param 'invoice'|'credit_note'|'receipt'|string $kind
     * @param string $number
     * @param 'open'|'part_paid'|'overdue'|'paid'|'credited'|'issued'|string $status `issued` is the state of credit notes and receipts.
     * @param string $seller
     * @param string $buyer
     * @param string $issueDate
     * @param string|null $dueDate
     * @param string|null $periodFrom
     * @param string|null $periodTo
     * @param string $currency
     * @param string $net Decimal string with three decimals.
     * @param string $tax Decimal string with three decimals.
     * @param string $rounding Difference between the total and the sum with tax, if prices include tax.
     * @param string $total Decimal string with three decimals.
     * @param string $withholding Part of the total that you are expected to withhold and to pay to the tax authority.
     * @param string $paid Decimal string with three decimals.
     * @param string $credited Sum of the credit notes for it.
     * @param string $open Still to be paid.
     * @param string|null $billingAccountId Account whose payments pay it.
     * @param string $issuedAt
     */
    public function __construct(
        public readonly string $id,
        public readonly string $kind,
        public readonly string $number,
        public readonly string $status,
        public readonly string $seller,
        public readonly string $buyer,
        public readonly string $issueDate,
        public readonly ?string $dueDate,
        public readonly ?string $periodFrom,
        public readonly ?string $periodTo,
        public readonly string $currency,
        public readonly string $net,
        public readonly string $tax,
        public readonly string $rounding,
        public readonly string $total,
        public readonly string $withholding,
        public readonly string $paid,
        public readonly string $credited,
        public readonly string $open,
        public readonly ?string $billingAccountId,
        public readonly string $issuedAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            kind: $data['kind'] ?? '',
            number: $data['number'] ?? '',
            status: $data['status'] ?? '',
            seller: $data['seller'] ?? '',
            buyer: $data['buyer'] ?? '',
            issueDate: $data['issue_date'] ?? '',
            dueDate: $data['due_date'] ?? null,
            periodFrom: $data['period_from'] ?? null,
            periodTo: $data['period_to'] ?? null,
            currency: $data['currency'] ?? '',
            net: $data['net'] ?? '',
            tax: $data['tax'] ?? '',
            rounding: $data['rounding'] ?? '',
            total: $data['total'] ?? '',
            withholding: $data['withholding'] ?? '',
            paid: $data['paid'] ?? '',
            credited: $data['credited'] ?? '',
            open: $data['open'] ?? '',
            billingAccountId: $data['billing_account_id'] ?? null,
            issuedAt: $data['issued_at'] ?? '',
        );
    }
}

final class GetInvoiceReply extends Record
{
    public const KIND_INVOICE = 'invoice';
    public const KIND_CREDIT_NOTE = 'credit_note';
    public const KIND_RECEIPT = 'receipt';
    public const STATUS_OPEN = 'open';
    public const STATUS_PART_PAID = 'part_paid';
    public const STATUS_OVERDUE = 'overdue';
    public const STATUS_PAID = 'paid';
    public const STATUS_CREDITED = 'credited';
    public const STATUS_ISSUED = 'issued';

    /**
     * @param string $id Id, as a decimal string.
     * @param 'invoice'|'credit_note'|'receipt'|string $kind
     * @param string $number
     * @param 'open'|'part_paid'|'overdue'|'paid'|'credited'|'issued'|string $status `issued` is the state of credit notes and receipts.
     * @param string $seller
     * @param string $buyer
     * @param string $issueDate
     * @param string|null $dueDate
     * @param string|null $periodFrom
     * @param string|null $periodTo
     * @param string $currency
     * @param string $net Decimal string with three decimals.
     * @param string $tax Decimal string with three decimals.
     * @param string $rounding Difference between the total and the sum with tax, if prices include tax.
     * @param string $total Decimal string with three decimals.
     * @param string $withholding Part of the total that you are expected to withhold and to pay to the tax authority.
     * @param string $paid Decimal string with three decimals.
     * @param string $credited Sum of the credit notes for it.
     * @param string $open Still to be paid.
     * @param string|null $billingAccountId Account whose payments pay it.
     * @param string $issuedAt
     * @param string|null $reason Reason of a credit note.
     * @param string|null $creditedInvoiceId Invoice that a credit note is about.
     * @param bool $filesReady The files can be downloaded, usually a few seconds after the issue.
     * @param list<GetInvoiceReplyTaxesItem> $taxes
     * @param list<GetInvoiceReplyPaymentsItem> $payments Parts of payments that paid it.
     * @param list<GetInvoiceReplyCreditNotesItem> $creditNotes
     */
    public function __construct(
        public readonly string $id,
        public readonly string $kind,
        public readonly string $number,
        public readonly string $status,
        public readonly string $seller,
        public readonly string $buyer,
        public readonly string $issueDate,
        public readonly ?string $dueDate,
        public readonly ?string $periodFrom,
        public readonly ?string $periodTo,
        public readonly string $currency,
        public readonly string $net,
        public readonly string $tax,
        public readonly string $rounding,
        public readonly string $total,
        public readonly string $withholding,
        public readonly string $paid,
        public readonly string $credited,
        public readonly string $open,
        public readonly ?string $billingAccountId,
        public readonly string $issuedAt,
        public readonly ?string $reason,
        public readonly ?string $creditedInvoiceId,
        public readonly bool $filesReady,
        public readonly array $taxes,
        public readonly array $payments,
        public readonly array $creditNotes,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            kind: $data['kind'] ?? '',
            number: $data['number'] ?? '',
            status: $data['status'] ?? '',
            seller: $data['seller'] ?? '',
            buyer: $data['buyer'] ?? '',
            issueDate: $data['issue_date'] ?? '',
            dueDate: $data['due_date'] ?? null,
            periodFrom: $data['period_from'] ?? null,
            periodTo: $data['period_to'] ?? null,
            currency: $data['currency'] ?? '',
            net: $data['net'] ?? '',
            tax: $data['tax'] ?? '',
            rounding: $data['rounding'] ?? '',
            total: $data['total'] ?? '',
            withholding: $data['withholding'] ?? '',
            paid: $data['paid'] ?? '',
            credited: $data['credited'] ?? '',
            open: $data['open'] ?? '',
            billingAccountId: $data['billing_account_id'] ?? null,
            issuedAt: $data['issued_at'] ?? '',
            reason: $data['reason'] ?? null,
            creditedInvoiceId: $data['credited_invoice_id'] ?? null,
            filesReady: $data['files_ready'] ?? false,
            taxes: array_map(GetInvoiceReplyTaxesItem::fromArray(...), $data['taxes'] ?? []),
            payments: array_map(GetInvoiceReplyPaymentsItem::fromArray(...), $data['payments'] ?? []),
            creditNotes: array_map(GetInvoiceReplyCreditNotesItem::fromArray(...), $data['credit_notes'] ?? []),
        );
    }
}

final class GetInvoiceReplyTaxesItem extends Record
{
    public const CATEGORY_STANDARD = 'standard';
    public const CATEGORY_ZERO = 'zero';
    public const CATEGORY_EXEMPT = 'exempt';
    public const CATEGORY_OUTSIDE = 'outside';

    /**
     * @param 'standard'|'zero'|'exempt'|'outside'|string $category
     * @param string $rate Percentage.
     * @param string $taxable Decimal string with three decimals.
     * @param string $tax Decimal string with three decimals.
     */
    public function __construct(
        public readonly string $category,
        public readonly string $rate,
        public readonly string $taxable,
        public readonly string $tax,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            category: $data['category'] ?? '',
            rate: $data['rate'] ?? '',
            taxable: $data['taxable'] ?? '',
            tax: $data['tax'] ?? '',
        );
    }
}

final class GetInvoiceReplyPaymentsItem extends Record
{
    /**
     * @param string $amount Decimal string with three decimals.
     * @param string $paidAt
     */
    public function __construct(
        public readonly string $amount,
        public readonly string $paidAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            amount: $data['amount'] ?? '',
            paidAt: $data['paid_at'] ?? '',
        );
    }
}

final class GetInvoiceReplyCreditNotesItem extends Record
{
    /**
     * @param string $id Id, as a decimal string.
     * @param string $number
     * @param string $issueDate
     * @param string $total Decimal string with three decimals.
     */
    public function __construct(
        public readonly string $id,
        public readonly string $number,
        public readonly string $issueDate,
        public readonly string $total,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            number: $data['number'] ?? '',
            issueDate: $data['issue_date'] ?? '',
            total: $data['total'] ?? '',
        );
    }
}

final class ListTopUpsItem extends Record
{
    public const STATE_CREATED = 'created';
    public const STATE_AWAITING_PAYMENT = 'awaiting_payment';
    public const STATE_IN_REVIEW = 'in_review';
    public const STATE_PAID = 'paid';
    public const STATE_PARTLY_REFUNDED = 'partly_refunded';
    public const STATE_REFUNDED = 'refunded';
    public const STATE_CHARGED_BACK = 'charged_back';
    public const STATE_FAILED = 'failed';
    public const STATE_EXPIRED = 'expired';
    public const STATE_REJECTED = 'rejected';

    /**
     * @param string $id Id, as a decimal string.
     * @param 'created'|'awaiting_payment'|'in_review'|'paid'|'partly_refunded'|'refunded'|'charged_back'|'failed'|'expired'|'rejected'|string $state The account has the credit from `paid` on; refunds and chargebacks take it back.
     * @param string $billingAccountId Id, as a decimal string.
     * @param string $amount Credit that the account gets.
     * @param string $fee Fee on top of it.
     * @param string $total Amount that is paid: the credit and the fee.
     * @param string $currency
     * @param string $method Name of the payment method.
     * @param bool $automatic A kept card was charged, because the account could spend less than a threshold.
     * @param string $reference Our reference at the provider and on bank statements.
     * @param string|null $clientReference
     * @param string $returned Money that went back to you.
     * @param string $takenBack Credit that the account lost with it.
     * @param string $createdAt
     * @param string|null $paidAt
     */
    public function __construct(
        public readonly string $id,
        public readonly string $state,
        public readonly string $billingAccountId,
        public readonly string $amount,
        public readonly string $fee,
        public readonly string $total,
        public readonly string $currency,
        public readonly string $method,
        public readonly bool $automatic,
        public readonly string $reference,
        public readonly ?string $clientReference,
        public readonly string $returned,
        public readonly string $takenBack,
        public readonly string $createdAt,
        public readonly ?string $paidAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            state: $data['state'] ?? '',
            billingAccountId: $data['billing_account_id'] ?? '',
            amount: $data['amount'] ?? '',
            fee: $data['fee'] ?? '',
            total: $data['total'] ?? '',
            currency: $data['currency'] ?? '',
            method: $data['method'] ?? '',
            automatic: $data['automatic'] ?? false,
            reference: $data['reference'] ?? '',
            clientReference: $data['client_reference'] ?? null,
            returned: $data['returned'] ?? '',
            takenBack: $data['taken_back'] ?? '',
            createdAt: $data['created_at'] ?? '',
            paidAt: $data['paid_at'] ?? null,
        );
    }
}

final class GetTopUpReply extends Record
{
    public const STATE_CREATED = 'created';
    public const STATE_AWAITING_PAYMENT = 'awaiting_payment';
    public const STATE_IN_REVIEW = 'in_review';
    public const STATE_PAID = 'paid';
    public const STATE_PARTLY_REFUNDED = 'partly_refunded';
    public const STATE_REFUNDED = 'refunded';
    public const STATE_CHARGED_BACK = 'charged_back';
    public const STATE_FAILED = 'failed';
    public const STATE_EXPIRED = 'expired';
    public const STATE_REJECTED = 'rejected';

    /**
     * @param string $id Id, as a decimal string.
     * @param 'created'|'awaiting_payment'|'in_review'|'paid'|'partly_refunded'|'refunded'|'charged_back'|'failed'|'expired'|'rejected'|string $state The account has the credit from `paid` on; refunds and chargebacks take it back.
     * @param string $billingAccountId Id, as a decimal string.
     * @param string $amount Credit that the account gets.
     * @param string $fee Fee on top of it.
     * @param string $total Amount that is paid: the credit and the fee.
     * @param string $currency
     * @param string $method Name of the payment method.
     * @param bool $automatic A kept card was charged, because the account could spend less than a threshold.
     * @param string $reference Our reference at the provider and on bank statements.
     * @param string|null $clientReference
     * @param string $returned Money that went back to you.
     * @param string $takenBack Credit that the account lost with it.
     * @param string $createdAt
     * @param string|null $paidAt
     * @param list<GetTopUpReplyReturnsItem> $returns
     */
    public function __construct(
        public readonly string $id,
        public readonly string $state,
        public readonly string $billingAccountId,
        public readonly string $amount,
        public readonly string $fee,
        public readonly string $total,
        public readonly string $currency,
        public readonly string $method,
        public readonly bool $automatic,
        public readonly string $reference,
        public readonly ?string $clientReference,
        public readonly string $returned,
        public readonly string $takenBack,
        public readonly string $createdAt,
        public readonly ?string $paidAt,
        public readonly array $returns,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            state: $data['state'] ?? '',
            billingAccountId: $data['billing_account_id'] ?? '',
            amount: $data['amount'] ?? '',
            fee: $data['fee'] ?? '',
            total: $data['total'] ?? '',
            currency: $data['currency'] ?? '',
            method: $data['method'] ?? '',
            automatic: $data['automatic'] ?? false,
            reference: $data['reference'] ?? '',
            clientReference: $data['client_reference'] ?? null,
            returned: $data['returned'] ?? '',
            takenBack: $data['taken_back'] ?? '',
            createdAt: $data['created_at'] ?? '',
            paidAt: $data['paid_at'] ?? null,
            returns: array_map(GetTopUpReplyReturnsItem::fromArray(...), $data['returns'] ?? []),
        );
    }
}

final class GetTopUpReplyReturnsItem extends Record
{
    public const KIND_REFUND = 'refund';
    public const KIND_CHARGEBACK = 'chargeback';
    public const STATE_ASKED = 'asked';
    public const STATE_PENDING = 'pending';
    public const STATE_DONE = 'done';
    public const STATE_FAILED = 'failed';
    public const STATE_OPEN = 'open';
    public const STATE_LOST = 'lost';
    public const STATE_WON = 'won';
    public const STATE_REVERSED = 'reversed';

    /**
     * @param 'refund'|'chargeback'|string $kind
     * @param 'asked'|'pending'|'done'|'failed'|'open'|'lost'|'won'|'reversed'|string $state
     * @param string $amount Decimal string with three decimals.
     * @param string|null $reason
     * @param string $createdAt
     */
    public function __construct(
        public readonly string $kind,
        public readonly string $state,
        public readonly string $amount,
        public readonly ?string $reason,
        public readonly string $createdAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            kind: $data['kind'] ?? '',
            state: $data['state'] ?? '',
            amount: $data['amount'] ?? '',
            reason: $data['reason'] ?? null,
            createdAt: $data['created_at'] ?? '',
        );
    }
}

final class ListInboundItem extends Record
{
    protected const MAPS = ['parameters'];

    /**
     * @param string $id Id, as a decimal string.
     * @param string $from Number of the phone. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.
     * @param string $to Short code, number or sender ID that the phone sent to.
     * @param string $text
     * @param string|null $keyword
     * @param bool $binary The text is hexadecimal.
     * @param array<string, string> $parameters Parameters that the carrier added, by name, or by tag such as `0x1401` and in hexadecimal.
     * @param string $receivedAt
     */
    public function __construct(
        public readonly string $id,
        public readonly string $from,
        public readonly string $to,
        public readonly string $text,
        public readonly ?string $keyword,
        public readonly bool $binary,
        public readonly array $parameters,
        public readonly string $receivedAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            from: $data['from'] ?? '',
            to: $data['to'] ?? '',
            text: $data['text'] ?? '',
            keyword: $data['keyword'] ?? null,
            binary: $data['binary'] ?? false,
            parameters: $data['parameters'] ?? [],
            receivedAt: $data['received_at'] ?? '',
        );
    }
}

final class GetConversationReply extends Record
{
    /**
     * @param string $id Id, as a decimal string.
     * @param string $number Number of the phone. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.
     * @param string $to Short code, number or sender ID that the phone sent to last.
     * @param bool $open False after somebody closed it. A new message of the phone opens it again.
     * @param int $unread Number of unread messages.
     * @param string|null $assignedTo User in charge.
     * @param string $lastAt Time of the latest message, or of the latest answer by a person.
     */
    public function __construct(
        public readonly string $id,
        public readonly string $number,
        public readonly string $to,
        public readonly bool $open,
        public readonly int $unread,
        public readonly ?string $assignedTo,
        public readonly string $lastAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            number: $data['number'] ?? '',
            to: $data['to'] ?? '',
            open: $data['open'] ?? false,
            unread: $data['unread'] ?? 0,
            assignedTo: $data['assigned_to'] ?? null,
            lastAt: $data['last_at'] ?? '',
        );
    }
}

final class ListConversationMessagesItem extends Record
{
    public const DIRECTION_IN = 'in';
    public const DIRECTION_OUT = 'out';

    /**
     * @param string $id Id, as a decimal string.
     * @param 'in'|'out'|string $direction `in` from the phone, `out` to it.
     * @param string|null $text Null if your user may not read texts.
     * @param string $number Short code, number or sender ID on your side.
     * @param bool $binary The text is hexadecimal.
     * @param string|null $status State of a message to the phone.
     * @param string $at
     */
    public function __construct(
        public readonly string $id,
        public readonly string $direction,
        public readonly ?string $text,
        public readonly string $number,
        public readonly bool $binary,
        public readonly ?string $status,
        public readonly string $at,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            direction: $data['direction'] ?? '',
            text: $data['text'] ?? null,
            number: $data['number'] ?? '',
            binary: $data['binary'] ?? false,
            status: $data['status'] ?? null,
            at: $data['at'] ?? '',
        );
    }
}

final class UpdateConversationRequest extends Record
{
    protected const NULLABLE = ['assignedTo'];

    /**
     * @param bool|null $open
     * @param string|null|Omit $assignedTo User who may read the inbox; null for nobody.
     */
    public function __construct(
        public readonly ?bool $open = null,
        public readonly string|Omit|null $assignedTo = Omit::Field,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            open: $data['open'] ?? null,
            assignedTo: array_key_exists('assigned_to', $data) ? $data['assigned_to'] ?? null : Omit::Field,
        );
    }
}

final class ListConsentsReply extends Record
{
    /**
     * @param list<AddConsentReply> $data
     */
    public function __construct(
        public readonly array $data,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            data: array_map(AddConsentReply::fromArray(...), $data['data'] ?? []),
        );
    }
}

final class AddConsentReply extends Record
{
    public const KIND_OPT_IN = 'opt_in';
    public const KIND_ASKED = 'asked';
    public const KIND_OPT_OUT = 'opt_out';
    public const SOURCE_FORM = 'form';
    public const SOURCE_KEYWORD = 'keyword';
    public const SOURCE_IMPORT = 'import';
    public const SOURCE_API = 'api';
    public const SOURCE_PERSON = 'person';

    /**
     * @param string $id Id, as a decimal string.
     * @param string $number Number of the person. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.
     * @param 'opt_in'|'asked'|'opt_out'|string $kind
     * @param 'form'|'keyword'|'import'|'api'|'person'|string $source
     * @param string|null $from Sender ID that the event is about; null for all.
     * @param string|null $wording
     * @param string|null $proof
     * @param string $at
     */
    public function __construct(
        public readonly string $id,
        public readonly string $number,
        public readonly string $kind,
        public readonly string $source,
        public readonly ?string $from,
        public readonly ?string $wording,
        public readonly ?string $proof,
        public readonly string $at,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            number: $data['number'] ?? '',
            kind: $data['kind'] ?? '',
            source: $data['source'] ?? '',
            from: $data['from'] ?? null,
            wording: $data['wording'] ?? null,
            proof: $data['proof'] ?? null,
            at: $data['at'] ?? '',
        );
    }
}

final class AddConsentRequest extends Record
{
    public const KIND_OPT_IN = 'opt_in';
    public const KIND_ASKED = 'asked';
    public const KIND_OPT_OUT = 'opt_out';

    protected const NULLABLE = ['from', 'wording', 'proof'];

    /**
     * @param string $number
     * @param 'opt_in'|'asked'|'opt_out' $kind
     * @param string|null|Omit $from Sender ID that the event is about; null for all. Default: `null`.
     * @param string|null|Omit $wording Wording that the person agreed to. Default: `null`.
     * @param string|null|Omit $proof Evidence, such as the address of a form. Default: `null`.
     * @param string|null $at Time of the event; not in the future. Now by default.
     */
    public function __construct(
        public readonly string $number,
        public readonly string $kind,
        public readonly string|Omit|null $from = Omit::Field,
        public readonly string|Omit|null $wording = Omit::Field,
        public readonly string|Omit|null $proof = Omit::Field,
        public readonly ?string $at = null,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            number: $data['number'] ?? '',
            kind: $data['kind'] ?? '',
            from: array_key_exists('from', $data) ? $data['from'] ?? null : Omit::Field,
            wording: array_key_exists('wording', $data) ? $data['wording'] ?? null : Omit::Field,
            proof: array_key_exists('proof', $data) ? $data['proof'] ?? null : Omit::Field,
            at: $data['at'] ?? null,
        );
    }
}

final class GetContactReply extends Record
{
    public const CONSENT_OPT_IN = 'opt_in';
    public const CONSENT_ASKED = 'asked';
    public const CONSENT_OPT_OUT = 'opt_out';
    public const CONSENT_NONE = 'none';

    protected const MAPS = ['fields'];

    /**
     * @param string $id Id, as a decimal string.
     * @param string $number Number of the person. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.
     * @param string|null $name
     * @param list<string> $tags
     * @param array<string, mixed> $fields Values by the keys of the fields. Fields without a value are left out.
     * @param 'opt_in'|'asked'|'opt_out'|'none'|string $consent Consent of the person to your corporation, from the recorded events; `none` if nothing is recorded.
     * @param string $createdAt
     * @param string $updatedAt
     */
    public function __construct(
        public readonly string $id,
        public readonly string $number,
        public readonly ?string $name,
        public readonly array $tags,
        public readonly array $fields,
        public readonly string $consent,
        public readonly string $createdAt,
        public readonly string $updatedAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            number: $data['number'] ?? '',
            name: $data['name'] ?? null,
            tags: $data['tags'] ?? [],
            fields: $data['fields'] ?? [],
            consent: $data['consent'] ?? '',
            createdAt: $data['created_at'] ?? '',
            updatedAt: $data['updated_at'] ?? '',
        );
    }
}

final class SaveContactRequest extends Record
{
    protected const MAPS = ['fields'];
    protected const NULLABLE = ['name'];

    /**
     * @param string $number
     * @param string|null|Omit $name
     * @param list<string>|null $tags All tags of the contact.
     * @param array<string, mixed>|null $fields Values by the keys of their fields. Dates are such as 2026-01-31.
     */
    public function __construct(
        public readonly string $number,
        public readonly string|Omit|null $name = Omit::Field,
        public readonly ?array $tags = null,
        public readonly ?array $fields = null,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            number: $data['number'] ?? '',
            name: array_key_exists('name', $data) ? $data['name'] ?? null : Omit::Field,
            tags: $data['tags'] ?? null,
            fields: $data['fields'] ?? null,
        );
    }
}

final class SaveContactsRequest extends Record
{
    /**
     * @param list<SaveContactRequest> $contacts
     */
    public function __construct(
        public readonly array $contacts,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            contacts: array_map(SaveContactRequest::fromArray(...), $data['contacts'] ?? []),
        );
    }
}

final class SaveContactsReply extends Record
{
    /**
     * @param list<SaveContactsReplySavedItem> $saved
     * @param list<SaveContactsReplyRejectedItem> $rejected
     */
    public function __construct(
        public readonly array $saved,
        public readonly array $rejected,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            saved: array_map(SaveContactsReplySavedItem::fromArray(...), $data['saved'] ?? []),
            rejected: array_map(SaveContactsReplyRejectedItem::fromArray(...), $data['rejected'] ?? []),
        );
    }
}

final class SaveContactsReplySavedItem extends Record
{
    /**
     * @param int $index Position in the request, from 0.
     * @param string $id Id, as a decimal string.
     */
    public function __construct(
        public readonly int $index,
        public readonly string $id,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            index: $data['index'] ?? 0,
            id: $data['id'] ?? '',
        );
    }
}

final class SaveContactsReplyRejectedItem extends Record
{
    /**
     * @param string $code
     * @param string|null $field
     * @param string $detail
     * @param int $index Position in the request, from 0.
     */
    public function __construct(
        public readonly string $code,
        public readonly ?string $field,
        public readonly string $detail,
        public readonly int $index,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            code: $data['code'] ?? '',
            field: $data['field'] ?? null,
            detail: $data['detail'] ?? '',
            index: $data['index'] ?? 0,
        );
    }
}

final class DeleteContactReply extends Record
{
    /**
     * @param string $id Id, as a decimal string.
     */
    public function __construct(
        public readonly string $id,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
        );
    }
}

final class ListContactFieldsReply extends Record
{
    /**
     * @param list<ListContactFieldsItem> $data
     */
    public function __construct(
        public readonly array $data,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            data: array_map(ListContactFieldsItem::fromArray(...), $data['data'] ?? []),
        );
    }
}

final class ListContactFieldsItem extends Record
{
    public const TYPE_TEXT = 'text';
    public const TYPE_NUMBER = 'number';
    public const TYPE_DATE = 'date';
    public const TYPE_CHOICE = 'choice';
    public const TYPE_YES_NO = 'yes_no';

    /**
     * @param string $id Id of the field in rules of segments.
     * @param string $key Name of the field in `fields` of a contact.
     * @param string $name
     * @param 'text'|'number'|'date'|'choice'|'yes_no'|string $type
     * @param list<string> $choices Values that a field of the type `choice` may have.
     */
    public function __construct(
        public readonly string $id,
        public readonly string $key,
        public readonly string $name,
        public readonly string $type,
        public readonly array $choices,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            key: $data['key'] ?? '',
            name: $data['name'] ?? '',
            type: $data['type'] ?? '',
            choices: $data['choices'] ?? [],
        );
    }
}

final class AddConversionRequest extends Record
{
    protected const NULLABLE = ['value', 'currency'];

    /**
     * @param string $reference Your own reference, such as an order number. Each is counted once. Only its hash is stored.
     * @param string $name Event, such as `purchase`: letters, digits, `_`, `.` and `-`, at most 40.
     * @param string|null $number Number of the person in international form.
     * @param string|null $code Code of the short link, as in `link.clicked`.
     * @param string|null|Omit $value What it was worth: a decimal string. With `currency`. Default: `null`.
     * @param string|null|Omit $currency Default: `null`.
     * @param string|null $at Time of the event; not in the future. Now by default.
     */
    public function __construct(
        public readonly string $reference,
        public readonly string $name,
        public readonly ?string $number = null,
        public readonly ?string $code = null,
        public readonly string|Omit|null $value = Omit::Field,
        public readonly string|Omit|null $currency = Omit::Field,
        public readonly ?string $at = null,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            reference: $data['reference'] ?? '',
            name: $data['name'] ?? '',
            number: $data['number'] ?? null,
            code: $data['code'] ?? null,
            value: array_key_exists('value', $data) ? $data['value'] ?? null : Omit::Field,
            currency: array_key_exists('currency', $data) ? $data['currency'] ?? null : Omit::Field,
            at: $data['at'] ?? null,
        );
    }
}

final class AddConversionReply extends Record
{
    /**
     * @param string $id Id, as a decimal string.
     * @param string $name
     * @param string|null $value Decimal string with three decimals.
     * @param string|null $currency
     * @param string $at
     * @param string $createdAt
     */
    public function __construct(
        public readonly string $id,
        public readonly string $name,
        public readonly ?string $value,
        public readonly ?string $currency,
        public readonly string $at,
        public readonly string $createdAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            name: $data['name'] ?? '',
            value: $data['value'] ?? null,
            currency: $data['currency'] ?? null,
            at: $data['at'] ?? '',
            createdAt: $data['created_at'] ?? '',
        );
    }
}

final class GetSegmentReply extends Record
{
    protected const MAPS = ['rule'];

    /**
     * @param string $id Id, as a decimal string.
     * @param string $name
     * @param array<string, mixed> $rule Rule, as it is written in requests.
     * @param string $explanation Rule as a sentence, in the language of the maker of the key.
     * @param list<ListSegmentsItemLacksItem> $lacks Records that the rule needs and that are gone or not visible. The segment finds nobody then.
     * @param string $createdAt
     * @param string $updatedAt
     */
    public function __construct(
        public readonly string $id,
        public readonly string $name,
        public readonly array $rule,
        public readonly string $explanation,
        public readonly array $lacks,
        public readonly string $createdAt,
        public readonly string $updatedAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            name: $data['name'] ?? '',
            rule: $data['rule'] ?? [],
            explanation: $data['explanation'] ?? '',
            lacks: array_map(ListSegmentsItemLacksItem::fromArray(...), $data['lacks'] ?? []),
            createdAt: $data['created_at'] ?? '',
            updatedAt: $data['updated_at'] ?? '',
        );
    }
}

final class ListSegmentsItemLacksItem extends Record
{
    public const KIND_FIELD = 'field';
    public const KIND_LIST = 'list';
    public const KIND_CAMPAIGN = 'campaign';
    public const KIND_NUMBER = 'number';

    /**
     * @param 'field'|'list'|'campaign'|'number'|string $kind
     * @param int $id
     */
    public function __construct(
        public readonly string $kind,
        public readonly int $id,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            kind: $data['kind'] ?? '',
            id: $data['id'] ?? 0,
        );
    }
}

final class CreateSegmentRequest extends Record
{
    /**
     * @param string $name
     * @param CreateSegmentRequestRule $rule Tree of groups and conditions. Fields, number lists and campaigns are named by their ids. `not` turns a condition around: it then finds contacts without a value too.
     */
    public function __construct(
        public readonly string $name,
        public readonly CreateSegmentRequestRule $rule,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            name: $data['name'] ?? '',
            rule: CreateSegmentRequestRule::fromArray($data['rule'] ?? []),
        );
    }
}

final class CreateSegmentRequestRule extends Record
{
    public const MATCH_ALL = 'all';
    public const MATCH_ANY = 'any';
    public const MATCH_NONE = 'none';

    /**
     * @param 'all'|'any'|'none' $match
     * @param list<mixed> $rules
     * @param int|null $version Default: `1`.
     */
    public function __construct(
        public readonly string $match,
        public readonly array $rules,
        public readonly ?int $version = null,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            match: $data['match'] ?? '',
            rules: $data['rules'] ?? [],
            version: $data['version'] ?? null,
        );
    }
}

final class ChangeSegmentRequest extends Record
{
    /**
     * @param string|null $name
     * @param CreateSegmentRequestRule|null $rule Tree of groups and conditions. Fields, number lists and campaigns are named by their ids. `not` turns a condition around: it then finds contacts without a value too.
     */
    public function __construct(
        public readonly ?string $name = null,
        public readonly ?CreateSegmentRequestRule $rule = null,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            name: $data['name'] ?? null,
            rule: isset($data['rule']) ? CreateSegmentRequestRule::fromArray($data['rule']) : null,
        );
    }
}

final class CountSegmentContactsReply extends Record
{
    /**
     * @param int $contacts
     */
    public function __construct(
        public readonly int $contacts,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            contacts: $data['contacts'] ?? 0,
        );
    }
}

final class GetJourneyReply extends Record
{
    public const STATE_DRAFT = 'draft';
    public const STATE_RUNNING = 'running';
    public const STATE_PAUSED = 'paused';
    public const STATE_STOPPED = 'stopped';

    /**
     * @param string $id Id, as a decimal string.
     * @param string $name
     * @param 'draft'|'running'|'paused'|'stopped'|string $state People enter and go on only while it is `running`.
     * @param int|null $version Number of the version that people enter; null for none.
     * @param string $trigger Cause for which people enter, as a sentence in the language of the maker of the key.
     * @param int $entered People who ever entered.
     * @param string $spent Cost of the messages so far.
     * @param string|null $budget Most that the messages may cost; null for no budget.
     * @param string $currency
     * @param string $createdAt
     * @param string $updatedAt
     */
    public function __construct(
        public readonly string $id,
        public readonly string $name,
        public readonly string $state,
        public readonly ?int $version,
        public readonly string $trigger,
        public readonly int $entered,
        public readonly string $spent,
        public readonly ?string $budget,
        public readonly string $currency,
        public readonly string $createdAt,
        public readonly string $updatedAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            name: $data['name'] ?? '',
            state: $data['state'] ?? '',
            version: $data['version'] ?? null,
            trigger: $data['trigger'] ?? '',
            entered: $data['entered'] ?? 0,
            spent: $data['spent'] ?? '',
            budget: $data['budget'] ?? null,
            currency: $data['currency'] ?? '',
            createdAt: $data['created_at'] ?? '',
            updatedAt: $data['updated_at'] ?? '',
        );
    }
}

final class EnterJourneyReply extends Record
{
    /**
     * @param bool $entered
     */
    public function __construct(
        public readonly bool $entered,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            entered: $data['entered'] ?? false,
        );
    }
}

final class MoveEventGroupRequest extends Record
{
    /**
     * @param string $cursor `next_cursor` of a page, or `id` of an event of the stream.
     * @param string|null $share Part of the events that the program reads. Default: `"1/1"`.
     */
    public function __construct(
        public readonly string $cursor,
        public readonly ?string $share = null,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            cursor: $data['cursor'] ?? '',
            share: $data['share'] ?? null,
        );
    }
}

final class MoveEventGroupReply extends Record
{
    /**
     * @param string $group
     * @param string $share
     * @param string $cursor
     * @param string $storedAt
     */
    public function __construct(
        public readonly string $group,
        public readonly string $share,
        public readonly string $cursor,
        public readonly string $storedAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            group: $data['group'] ?? '',
            share: $data['share'] ?? '',
            cursor: $data['cursor'] ?? '',
            storedAt: $data['stored_at'] ?? '',
        );
    }
}

final class SampleEventsReply extends Record
{
    /**
     * @param list<Event> $data
     */
    public function __construct(
        public readonly array $data,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            data: array_map(Event::fromArray(...), $data['data'] ?? []),
        );
    }
}

final class ListCallbacksReply extends Record
{
    /**
     * @param list<ListCallbacksItem> $data
     */
    public function __construct(
        public readonly array $data,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            data: array_map(ListCallbacksItem::fromArray(...), $data['data'] ?? []),
        );
    }
}

final class ListCallbacksItem extends Record
{
    public const TYPES_MESSAGE_DELIVERED = 'message.delivered';
    public const TYPES_MESSAGE_FAILED = 'message.failed';
    public const TYPES_MESSAGE_EXPIRED = 'message.expired';
    public const TYPES_MESSAGE_CORRECTED = 'message.corrected';
    public const TYPES_MESSAGE_RECEIVED = 'message.received';
    public const TYPES_CAMPAIGN_FINISHED = 'campaign.finished';
    public const TYPES_LINK_CLICKED = 'link.clicked';
    public const TYPES_JOURNEY_STEP = 'journey.step';
    public const TYPES_VERIFICATION_APPROVED = 'verification.approved';
    public const TYPES_VERIFICATION_FAILED = 'verification.failed';
    public const TYPES_VERIFICATION_EXPIRED = 'verification.expired';
    public const TYPES_BALANCE_LOW = 'balance.low';
    public const TYPES_PAYMENT_RECEIVED = 'payment.received';
    public const TYPES_INVOICE_ISSUED = 'invoice.issued';
    public const STATUS_ACTIVE = 'active';
    public const STATUS_FAILING = 'failing';
    public const STATUS_PAUSED = 'paused';
    public const STATUS_DISABLED = 'disabled';

    /**
     * @param string $id Id, as a decimal string.
     * @param string $url
     * @param list<'message.delivered'|'message.failed'|'message.expired'|'message.corrected'|'message.received'|'campaign.finished'|'link.clicked'|'journey.step'|'verification.approved'|'verification.failed'|'verification.expired'|'balance.low'|'payment.received'|'invoice.issued'|string> $types
     * @param string|null $description
     * @param 'active'|'failing'|'paused'|'disabled'|string $status `failing`: the last calls did not arrive, and are tried again. `paused`: nothing arrived for three days, or the address answered 410.
     * @param string $createdAt
     */
    public function __construct(
        public readonly string $id,
        public readonly string $url,
        public readonly array $types,
        public readonly ?string $description,
        public readonly string $status,
        public readonly string $createdAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            url: $data['url'] ?? '',
            types: $data['types'] ?? [],
            description: $data['description'] ?? null,
            status: $data['status'] ?? '',
            createdAt: $data['created_at'] ?? '',
        );
    }
}

final class AddCallbackRequest extends Record
{
    public const TYPES_MESSAGE_DELIVERED = 'message.delivered';
    public const TYPES_MESSAGE_FAILED = 'message.failed';
    public const TYPES_MESSAGE_EXPIRED = 'message.expired';
    public const TYPES_MESSAGE_CORRECTED = 'message.corrected';
    public const TYPES_MESSAGE_RECEIVED = 'message.received';
    public const TYPES_CAMPAIGN_FINISHED = 'campaign.finished';
    public const TYPES_LINK_CLICKED = 'link.clicked';
    public const TYPES_JOURNEY_STEP = 'journey.step';
    public const TYPES_VERIFICATION_APPROVED = 'verification.approved';
    public const TYPES_VERIFICATION_FAILED = 'verification.failed';
    public const TYPES_VERIFICATION_EXPIRED = 'verification.expired';
    public const TYPES_BALANCE_LOW = 'balance.low';
    public const TYPES_PAYMENT_RECEIVED = 'payment.received';
    public const TYPES_INVOICE_ISSUED = 'invoice.issued';

    /**
     * @param string $url Public https address.
     * @param list<'message.delivered'|'message.failed'|'message.expired'|'message.corrected'|'message.received'|'campaign.finished'|'link.clicked'|'journey.step'|'verification.approved'|'verification.failed'|'verification.expired'|'balance.low'|'payment.received'|'invoice.issued'> $types Types of events to send.
     * @param string|null $description What receives the events, for people in the console.
     */
    public function __construct(
        public readonly string $url,
        public readonly array $types,
        public readonly ?string $description = null,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            url: $data['url'] ?? '',
            types: $data['types'] ?? [],
            description: $data['description'] ?? null,
        );
    }
}

final class AddCallbackReply extends Record
{
    public const TYPES_MESSAGE_DELIVERED = 'message.delivered';
    public const TYPES_MESSAGE_FAILED = 'message.failed';
    public const TYPES_MESSAGE_EXPIRED = 'message.expired';
    public const TYPES_MESSAGE_CORRECTED = 'message.corrected';
    public const TYPES_MESSAGE_RECEIVED = 'message.received';
    public const TYPES_CAMPAIGN_FINISHED = 'campaign.finished';
    public const TYPES_LINK_CLICKED = 'link.clicked';
    public const TYPES_JOURNEY_STEP = 'journey.step';
    public const TYPES_VERIFICATION_APPROVED = 'verification.approved';
    public const TYPES_VERIFICATION_FAILED = 'verification.failed';
    public const TYPES_VERIFICATION_EXPIRED = 'verification.expired';
    public const TYPES_BALANCE_LOW = 'balance.low';
    public const TYPES_PAYMENT_RECEIVED = 'payment.received';
    public const TYPES_INVOICE_ISSUED = 'invoice.issued';
    public const STATUS_ACTIVE = 'active';
    public const STATUS_FAILING = 'failing';
    public const STATUS_PAUSED = 'paused';
    public const STATUS_DISABLED = 'disabled';

    /**
     * @param string $id Id, as a decimal string.
     * @param string $url
     * @param list<'message.delivered'|'message.failed'|'message.expired'|'message.corrected'|'message.received'|'campaign.finished'|'link.clicked'|'journey.step'|'verification.approved'|'verification.failed'|'verification.expired'|'balance.low'|'payment.received'|'invoice.issued'|string> $types
     * @param string|null $description
     * @param 'active'|'failing'|'paused'|'disabled'|string $status `failing`: the last calls did not arrive, and are tried again. `paused`: nothing arrived for three days, or the address answered 410.
     * @param string $createdAt
     * @param string $secret Secret that signs the calls, by Standard Webhooks.
     */
    public function __construct(
        public readonly string $id,
        public readonly string $url,
        public readonly array $types,
        public readonly ?string $description,
        public readonly string $status,
        public readonly string $createdAt,
        public readonly string $secret,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            url: $data['url'] ?? '',
            types: $data['types'] ?? [],
            description: $data['description'] ?? null,
            status: $data['status'] ?? '',
            createdAt: $data['created_at'] ?? '',
            secret: $data['secret'] ?? '',
        );
    }
}

final class ListHandsetsReply extends Record
{
    /**
     * @param list<ListHandsetsItem> $data
     */
    public function __construct(
        public readonly array $data,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            data: array_map(ListHandsetsItem::fromArray(...), $data['data'] ?? []),
        );
    }
}

final class ListHandsetsItem extends Record
{
    /**
     * @param string $number Number of the handset. Masked, such as `63917•••••67`, if the key may not see numbers.
     * @param int $messages Messages that it received.
     * @param string $lastAt
     */
    public function __construct(
        public readonly string $number,
        public readonly int $messages,
        public readonly string $lastAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            number: $data['number'] ?? '',
            messages: $data['messages'] ?? 0,
            lastAt: $data['last_at'] ?? '',
        );
    }
}

final class ListHandsetMessagesReply extends Record
{
    /**
     * @param list<ListHandsetMessagesItem> $data
     */
    public function __construct(
        public readonly array $data,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            data: array_map(ListHandsetMessagesItem::fromArray(...), $data['data'] ?? []),
        );
    }
}

final class ListHandsetMessagesItem extends Record
{
    public const DIRECTION_RECEIVED = 'received';
    public const DIRECTION_SENT = 'sent';
    public const STATE_PENDING = 'pending';
    public const STATE_SUBMITTED = 'submitted';
    public const STATE_DELIVERED = 'delivered';
    public const STATE_EXPIRED = 'expired';
    public const STATE_CANCELLED = 'cancelled';
    public const STATE_FAILED_INTERNAL = 'failed_internal';
    public const STATE_FAILED_BILLING = 'failed_billing';
    public const STATE_FAILED_SUBMIT = 'failed_submit';
    public const STATE_FAILED_OTHER = 'failed_other';
    public const STATE_BLOCKED = 'blocked';
    public const STATE_SCHEDULED = 'scheduled';

    /**
     * @param 'received'|'sent'|string $direction As the phone sees it.
     * @param string $id Id of the message, or of the message from the phone.
     * @param string $with Sender ID or number on the other side.
     * @param string $text Empty if the key may not see texts.
     * @param int $parts Parts that have arrived.
     * @param 'pending'|'submitted'|'delivered'|'expired'|'cancelled'|'failed_internal'|'failed_billing'|'failed_submit'|'failed_other'|'blocked'|'scheduled'|string|null $state State of the message; null for an answer of the phone.
     * @param string $at
     */
    public function __construct(
        public readonly string $direction,
        public readonly string $id,
        public readonly string $with,
        public readonly string $text,
        public readonly int $parts,
        public readonly ?string $state,
        public readonly string $at,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            direction: $data['direction'] ?? '',
            id: $data['id'] ?? '',
            with: $data['with'] ?? '',
            text: $data['text'] ?? '',
            parts: $data['parts'] ?? 0,
            state: $data['state'] ?? null,
            at: $data['at'] ?? '',
        );
    }
}

final class ReplyFromHandsetRequest extends Record
{
    /**
     * @param string $from Number of a handset that has received a message.
     * @param string $text
     */
    public function __construct(
        public readonly string $from,
        public readonly string $text,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            from: $data['from'] ?? '',
            text: $data['text'] ?? '',
        );
    }
}

final class ReplyFromHandsetReply extends Record
{
    /**
     * @param string $id Id, as a decimal string.
     * @param string $from Number of the handset. Masked, such as `63917•••••67`, if the key may not see numbers.
     * @param string $to Sender ID of the last message that the handset received.
     * @param string $receivedAt
     */
    public function __construct(
        public readonly string $id,
        public readonly string $from,
        public readonly string $to,
        public readonly string $receivedAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            from: $data['from'] ?? '',
            to: $data['to'] ?? '',
            receivedAt: $data['received_at'] ?? '',
        );
    }
}

final class MoveSandboxTimeRequest extends Record
{
    /**
     * @param int $seconds
     */
    public function __construct(
        public readonly int $seconds,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            seconds: $data['seconds'] ?? 0,
        );
    }
}

final class MoveSandboxTimeReply extends Record
{
    /**
     * @param int $seconds
     * @param int $receipts Receipts and answers of handsets that waited.
     * @param int $messages Messages that waited.
     * @param int $verifications Verifications that waited.
     */
    public function __construct(
        public readonly int $seconds,
        public readonly int $receipts,
        public readonly int $messages,
        public readonly int $verifications,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            seconds: $data['seconds'] ?? 0,
            receipts: $data['receipts'] ?? 0,
            messages: $data['messages'] ?? 0,
            verifications: $data['verifications'] ?? 0,
        );
    }
}

final class MessageDeliveredCallbackData extends Record
{
    public const STATE_PENDING = 'pending';
    public const STATE_SUBMITTED = 'submitted';
    public const STATE_DELIVERED = 'delivered';
    public const STATE_EXPIRED = 'expired';
    public const STATE_CANCELLED = 'cancelled';
    public const STATE_FAILED_INTERNAL = 'failed_internal';
    public const STATE_FAILED_BILLING = 'failed_billing';
    public const STATE_FAILED_SUBMIT = 'failed_submit';
    public const STATE_FAILED_OTHER = 'failed_other';
    public const STATE_BLOCKED = 'blocked';

    protected const MAPS = ['parameters'];

    /**
     * @param string $id Id, as a decimal string.
     * @param 'pending'|'submitted'|'delivered'|'expired'|'cancelled'|'failed_internal'|'failed_billing'|'failed_submit'|'failed_other'|'blocked'|string $state
     * @param string|null $errorCode Error code of the carrier, or `moderation` if the platform rejected the message.
     * @param string|null $from
     * @param string|null $to
     * @param int|null $parts
     * @param string|null $price
     * @param string|null $currency
     * @param string|null $clientRef
     * @param list<string> $tags
     * @param string|null $batchId
     * @param string|null $campaignId Campaign of a message that was sent in the console.
     * @param string|null $createdAt
     * @param array<string, string> $parameters Parameters of the carrier’s receipt, by the names that the operator gave them.
     * @param string $doneAt Time of the final state.
     */
    public function __construct(
        public readonly string $id,
        public readonly string $state,
        public readonly ?string $errorCode,
        public readonly ?string $from,
        public readonly ?string $to,
        public readonly ?int $parts,
        public readonly ?string $price,
        public readonly ?string $currency,
        public readonly ?string $clientRef,
        public readonly array $tags,
        public readonly ?string $batchId,
        public readonly ?string $campaignId,
        public readonly ?string $createdAt,
        public readonly array $parameters,
        public readonly string $doneAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            state: $data['state'] ?? '',
            errorCode: $data['error_code'] ?? null,
            from: $data['from'] ?? null,
            to: $data['to'] ?? null,
            parts: $data['parts'] ?? null,
            price: $data['price'] ?? null,
            currency: $data['currency'] ?? null,
            clientRef: $data['client_ref'] ?? null,
            tags: $data['tags'] ?? [],
            batchId: $data['batch_id'] ?? null,
            campaignId: $data['campaign_id'] ?? null,
            createdAt: $data['created_at'] ?? null,
            parameters: $data['parameters'] ?? [],
            doneAt: $data['done_at'] ?? '',
        );
    }
}

final class MessageFailedCallbackData extends Record
{
    public const STATE_PENDING = 'pending';
    public const STATE_SUBMITTED = 'submitted';
    public const STATE_DELIVERED = 'delivered';
    public const STATE_EXPIRED = 'expired';
    public const STATE_CANCELLED = 'cancelled';
    public const STATE_FAILED_INTERNAL = 'failed_internal';
    public const STATE_FAILED_BILLING = 'failed_billing';
    public const STATE_FAILED_SUBMIT = 'failed_submit';
    public const STATE_FAILED_OTHER = 'failed_other';
    public const STATE_BLOCKED = 'blocked';

    protected const MAPS = ['parameters'];

    /**
     * @param string $id Id, as a decimal string.
     * @param 'pending'|'submitted'|'delivered'|'expired'|'cancelled'|'failed_internal'|'failed_billing'|'failed_submit'|'failed_other'|'blocked'|string $state
     * @param string|null $errorCode Error code of the carrier, or `moderation` if the platform rejected the message.
     * @param string|null $from
     * @param string|null $to
     * @param int|null $parts
     * @param string|null $price
     * @param string|null $currency
     * @param string|null $clientRef
     * @param list<string> $tags
     * @param string|null $batchId
     * @param string|null $campaignId Campaign of a message that was sent in the console.
     * @param string|null $createdAt
     * @param array<string, string> $parameters Parameters of the carrier’s receipt, by the names that the operator gave them.
     * @param string $doneAt Time of the final state.
     */
    public function __construct(
        public readonly string $id,
        public readonly string $state,
        public readonly ?string $errorCode,
        public readonly ?string $from,
        public readonly ?string $to,
        public readonly ?int $parts,
        public readonly ?string $price,
        public readonly ?string $currency,
        public readonly ?string $clientRef,
        public readonly array $tags,
        public readonly ?string $batchId,
        public readonly ?string $campaignId,
        public readonly ?string $createdAt,
        public readonly array $parameters,
        public readonly string $doneAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            state: $data['state'] ?? '',
            errorCode: $data['error_code'] ?? null,
            from: $data['from'] ?? null,
            to: $data['to'] ?? null,
            parts: $data['parts'] ?? null,
            price: $data['price'] ?? null,
            currency: $data['currency'] ?? null,
            clientRef: $data['client_ref'] ?? null,
            tags: $data['tags'] ?? [],
            batchId: $data['batch_id'] ?? null,
            campaignId: $data['campaign_id'] ?? null,
            createdAt: $data['created_at'] ?? null,
            parameters: $data['parameters'] ?? [],
            doneAt: $data['done_at'] ?? '',
        );
    }
}

final class MessageExpiredCallbackData extends Record
{
    public const STATE_PENDING = 'pending';
    public const STATE_SUBMITTED = 'submitted';
    public const STATE_DELIVERED = 'delivered';
    public const STATE_EXPIRED = 'expired';
    public const STATE_CANCELLED = 'cancelled';
    public const STATE_FAILED_INTERNAL = 'failed_internal';
    public const STATE_FAILED_BILLING = 'failed_billing';
    public const STATE_FAILED_SUBMIT = 'failed_submit';
    public const STATE_FAILED_OTHER = 'failed_other';
    public const STATE_BLOCKED = 'blocked';

    protected const MAPS = ['parameters'];

    /**
     * @param string $id Id, as a decimal string.
     * @param 'pending'|'submitted'|'delivered'|'expired'|'cancelled'|'failed_internal'|'failed_billing'|'failed_submit'|'failed_other'|'blocked'|string $state
     * @param string|null $errorCode Error code of the carrier, or `moderation` if the platform rejected the message.
     * @param string|null $from
     * @param string|null $to
     * @param int|null $parts
     * @param string|null $price
     * @param string|null $currency
     * @param string|null $clientRef
     * @param list<string> $tags
     * @param string|null $batchId
     * @param string|null $campaignId Campaign of a message that was sent in the console.
     * @param string|null $createdAt
     * @param array<string, string> $parameters Parameters of the carrier’s receipt, by the names that the operator gave them.
     * @param string $doneAt Time of the final state.
     */
    public function __construct(
        public readonly string $id,
        public readonly string $state,
        public readonly ?string $errorCode,
        public readonly ?string $from,
        public readonly ?string $to,
        public readonly ?int $parts,
        public readonly ?string $price,
        public readonly ?string $currency,
        public readonly ?string $clientRef,
        public readonly array $tags,
        public readonly ?string $batchId,
        public readonly ?string $campaignId,
        public readonly ?string $createdAt,
        public readonly array $parameters,
        public readonly string $doneAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            state: $data['state'] ?? '',
            errorCode: $data['error_code'] ?? null,
            from: $data['from'] ?? null,
            to: $data['to'] ?? null,
            parts: $data['parts'] ?? null,
            price: $data['price'] ?? null,
            currency: $data['currency'] ?? null,
            clientRef: $data['client_ref'] ?? null,
            tags: $data['tags'] ?? [],
            batchId: $data['batch_id'] ?? null,
            campaignId: $data['campaign_id'] ?? null,
            createdAt: $data['created_at'] ?? null,
            parameters: $data['parameters'] ?? [],
            doneAt: $data['done_at'] ?? '',
        );
    }
}

final class MessageCorrectedCallbackData extends Record
{
    public const STATE_PENDING = 'pending';
    public const STATE_SUBMITTED = 'submitted';
    public const STATE_DELIVERED = 'delivered';
    public const STATE_EXPIRED = 'expired';
    public const STATE_CANCELLED = 'cancelled';
    public const STATE_FAILED_INTERNAL = 'failed_internal';
    public const STATE_FAILED_BILLING = 'failed_billing';
    public const STATE_FAILED_SUBMIT = 'failed_submit';
    public const STATE_FAILED_OTHER = 'failed_other';
    public const STATE_BLOCKED = 'blocked';

    protected const MAPS = ['parameters'];

    /**
     * @param string $id Id, as a decimal string.
     * @param 'pending'|'submitted'|'delivered'|'expired'|'cancelled'|'failed_internal'|'failed_billing'|'failed_submit'|'failed_other'|'blocked'|string $state State that the carrier now reports. The state of the message itself does not change.
     * @param string|null $errorCode Error code of the carrier, or `moderation` if the platform rejected the message.
     * @param string|null $from
     * @param string|null $to
     * @param int|null $parts
     * @param string|null $price
     * @param string|null $currency
     * @param string|null $clientRef
     * @param list<string> $tags
     * @param string|null $batchId
     * @param string|null $campaignId Campaign of a message that was sent in the console.
     * @param string|null $createdAt
     * @param array<string, string> $parameters Parameters of the carrier’s receipt, by the names that the operator gave them.
     * @param string $doneAt Time of the report by the carrier.
     */
    public function __construct(
        public readonly string $id,
        public readonly string $state,
        public readonly ?string $errorCode,
        public readonly ?string $from,
        public readonly ?string $to,
        public readonly ?int $parts,
        public readonly ?string $price,
        public readonly ?string $currency,
        public readonly ?string $clientRef,
        public readonly array $tags,
        public readonly ?string $batchId,
        public readonly ?string $campaignId,
        public readonly ?string $createdAt,
        public readonly array $parameters,
        public readonly string $doneAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            state: $data['state'] ?? '',
            errorCode: $data['error_code'] ?? null,
            from: $data['from'] ?? null,
            to: $data['to'] ?? null,
            parts: $data['parts'] ?? null,
            price: $data['price'] ?? null,
            currency: $data['currency'] ?? null,
            clientRef: $data['client_ref'] ?? null,
            tags: $data['tags'] ?? [],
            batchId: $data['batch_id'] ?? null,
            campaignId: $data['campaign_id'] ?? null,
            createdAt: $data['created_at'] ?? null,
            parameters: $data['parameters'] ?? [],
            doneAt: $data['done_at'] ?? '',
        );
    }
}

final class MessageReceivedCallbackData extends Record
{
    protected const MAPS = ['parameters'];

    /**
     * @param string $id Id, as a decimal string.
     * @param string|null $from Number of the phone.
     * @param string|null $to Short code, number or sender ID that the phone sent to.
     * @param string|null $text
     * @param string|null $keyword
     * @param bool $binary The text is hexadecimal.
     * @param array<string, string> $parameters Parameters that the carrier added, by name, or by tag such as `0x1401` and in hexadecimal.
     * @param string|null $receivedAt
     */
    public function __construct(
        public readonly string $id,
        public readonly ?string $from,
        public readonly ?string $to,
        public readonly ?string $text,
        public readonly ?string $keyword,
        public readonly bool $binary,
        public readonly array $parameters,
        public readonly ?string $receivedAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            from: $data['from'] ?? null,
            to: $data['to'] ?? null,
            text: $data['text'] ?? null,
            keyword: $data['keyword'] ?? null,
            binary: $data['binary'] ?? false,
            parameters: $data['parameters'] ?? [],
            receivedAt: $data['received_at'] ?? null,
        );
    }
}

final class CampaignFinishedCallbackData extends Record
{
    public const STATE_COMPLETED = 'completed';
    public const STATE_STOPPED = 'stopped';
    public const STATE_FAILED = 'failed';

    /**
     * @param string $id Id, as a decimal string.
     * @param string|null $name
     * @param 'completed'|'stopped'|'failed'|string $state
     * @param int|null $messages
     * @param int $submitted
     * @param int $delivered
     * @param int $failed
     * @param int $expired
     * @param int $blocked Messages that were never handed to a carrier. They are not counted as failed.
     * @param int $cancelled
     * @param string $charged Decimal string with three decimals.
     * @param string|null $currency
     */
    public function __construct(
        public readonly string $id,
        public readonly ?string $name,
        public readonly string $state,
        public readonly ?int $messages,
        public readonly int $submitted,
        public readonly int $delivered,
        public readonly int $failed,
        public readonly int $expired,
        public readonly int $blocked,
        public readonly int $cancelled,
        public readonly string $charged,
        public readonly ?string $currency,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            name: $data['name'] ?? null,
            state: $data['state'] ?? '',
            messages: $data['messages'] ?? null,
            submitted: $data['submitted'] ?? 0,
            delivered: $data['delivered'] ?? 0,
            failed: $data['failed'] ?? 0,
            expired: $data['expired'] ?? 0,
            blocked: $data['blocked'] ?? 0,
            cancelled: $data['cancelled'] ?? 0,
            charged: $data['charged'] ?? '',
            currency: $data['currency'] ?? null,
        );
    }
}

final class LinkClickedCallbackData extends Record
{
    /**
     * @param string $campaignId Id, as a decimal string.
     * @param string|null $campaign Name of the campaign.
     * @param int|null $link Place of the link in the text, from 1.
     * @param string|null $url Address that the link leads to.
     * @param string $code Code of the short link. It is the same in the text of the message and in conversions.
     * @param string|null $to Number of the recipient; null if the corporation does not name who clicks, or the number was removed.
     * @param string|null $clickedAt Time of the first click.
     */
    public function __construct(
        public readonly string $campaignId,
        public readonly ?string $campaign,
        public readonly ?int $link,
        public readonly ?string $url,
        public readonly string $code,
        public readonly ?string $to,
        public readonly ?string $clickedAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            campaignId: $data['campaign_id'] ?? '',
            campaign: $data['campaign'] ?? null,
            link: $data['link'] ?? null,
            url: $data['url'] ?? null,
            code: $data['code'] ?? '',
            to: $data['to'] ?? null,
            clickedAt: $data['clicked_at'] ?? null,
        );
    }
}

final class JourneyStepCallbackData extends Record
{
    /**
     * @param string $journeyId Id, as a decimal string.
     * @param string|null $journey Name of the journey.
     * @param int $step Id of the step.
     * @param string $name Name that the step has for programs.
     * @param string|null $to Number of the person; null if the contact was deleted.
     * @param JourneyStepCallbackDataContact|null $contact Contact of the person; null if it was deleted. In the feed also null without the scope `contacts:read`.
     */
    public function __construct(
        public readonly string $journeyId,
        public readonly ?string $journey,
        public readonly int $step,
        public readonly string $name,
        public readonly ?string $to,
        public readonly ?JourneyStepCallbackDataContact $contact,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            journeyId: $data['journey_id'] ?? '',
            journey: $data['journey'] ?? null,
            step: $data['step'] ?? 0,
            name: $data['name'] ?? '',
            to: $data['to'] ?? null,
            contact: isset($data['contact']) ? JourneyStepCallbackDataContact::fromArray($data['contact']) : null,
        );
    }
}

final class JourneyStepCallbackDataContact extends Record
{
    protected const MAPS = ['fields'];

    /**
     * @param string $id Id, as a decimal string.
     * @param string|null $name
     * @param array<string, mixed> $fields Values by the keys of the fields, as they are now.
     */
    public function __construct(
        public readonly string $id,
        public readonly ?string $name,
        public readonly array $fields,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            name: $data['name'] ?? null,
            fields: $data['fields'] ?? [],
        );
    }
}

final class VerificationApprovedCallbackData extends Record
{
    public const STATUS_APPROVED = 'approved';
    public const STATUS_FAILED = 'failed';
    public const STATUS_EXPIRED = 'expired';
    public const LANGUAGE_EN = 'en';
    public const LANGUAGE_CN = 'cn';
    public const LANGUAGE_ZH = 'zh';
    public const LANGUAGE_FP = 'fp';

    /**
     * @param string $id Id, as a decimal string.
     * @param string|null $service
     * @param string|null $to
     * @param 'approved'|'failed'|'expired'|string $status
     * @param 'en'|'cn'|'zh'|'fp'|string|null $language
     * @param int|null $parts
     * @param string|null $price
     * @param string|null $currency
     * @param string|null $clientRef
     * @param string|null $createdAt
     * @param string|null $doneAt
     * @param bool $test
     */
    public function __construct(
        public readonly string $id,
        public readonly ?string $service,
        public readonly ?string $to,
        public readonly string $status,
        public readonly ?string $language,
        public readonly ?int $parts,
        public readonly ?string $price,
        public readonly ?string $currency,
        public readonly ?string $clientRef,
        public readonly ?string $createdAt,
        public readonly ?string $doneAt,
        public readonly bool $test,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            service: $data['service'] ?? null,
            to: $data['to'] ?? null,
            status: $data['status'] ?? '',
            language: $data['language'] ?? null,
            parts: $data['parts'] ?? null,
            price: $data['price'] ?? null,
            currency: $data['currency'] ?? null,
            clientRef: $data['client_ref'] ?? null,
            createdAt: $data['created_at'] ?? null,
            doneAt: $data['done_at'] ?? null,
            test: $data['test'] ?? false,
        );
    }
}

final class VerificationFailedCallbackData extends Record
{
    public const STATUS_APPROVED = 'approved';
    public const STATUS_FAILED = 'failed';
    public const STATUS_EXPIRED = 'expired';
    public const LANGUAGE_EN = 'en';
    public const LANGUAGE_CN = 'cn';
    public const LANGUAGE_ZH = 'zh';
    public const LANGUAGE_FP = 'fp';

    /**
     * @param string $id Id, as a decimal string.
     * @param string|null $service
     * @param string|null $to
     * @param 'approved'|'failed'|'expired'|string $status
     * @param 'en'|'cn'|'zh'|'fp'|string|null $language
     * @param int|null $parts
     * @param string|null $price
     * @param string|null $currency
     * @param string|null $clientRef
     * @param string|null $createdAt
     * @param string|null $doneAt
     * @param bool $test
     */
    public function __construct(
        public readonly string $id,
        public readonly ?string $service,
        public readonly ?string $to,
        public readonly string $status,
        public readonly ?string $language,
        public readonly ?int $parts,
        public readonly ?string $price,
        public readonly ?string $currency,
        public readonly ?string $clientRef,
        public readonly ?string $createdAt,
        public readonly ?string $doneAt,
        public readonly bool $test,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            service: $data['service'] ?? null,
            to: $data['to'] ?? null,
            status: $data['status'] ?? '',
            language: $data['language'] ?? null,
            parts: $data['parts'] ?? null,
            price: $data['price'] ?? null,
            currency: $data['currency'] ?? null,
            clientRef: $data['client_ref'] ?? null,
            createdAt: $data['created_at'] ?? null,
            doneAt: $data['done_at'] ?? null,
            test: $data['test'] ?? false,
        );
    }
}

final class VerificationExpiredCallbackData extends Record
{
    public const STATUS_APPROVED = 'approved';
    public const STATUS_FAILED = 'failed';
    public const STATUS_EXPIRED = 'expired';
    public const LANGUAGE_EN = 'en';
    public const LANGUAGE_CN = 'cn';
    public const LANGUAGE_ZH = 'zh';
    public const LANGUAGE_FP = 'fp';

    /**
     * @param string $id Id, as a decimal string.
     * @param string|null $service
     * @param string|null $to
     * @param 'approved'|'failed'|'expired'|string $status
     * @param 'en'|'cn'|'zh'|'fp'|string|null $language
     * @param int|null $parts
     * @param string|null $price
     * @param string|null $currency
     * @param string|null $clientRef
     * @param string|null $createdAt
     * @param string|null $doneAt
     * @param bool $test
     */
    public function __construct(
        public readonly string $id,
        public readonly ?string $service,
        public readonly ?string $to,
        public readonly string $status,
        public readonly ?string $language,
        public readonly ?int $parts,
        public readonly ?string $price,
        public readonly ?string $currency,
        public readonly ?string $clientRef,
        public readonly ?string $createdAt,
        public readonly ?string $doneAt,
        public readonly bool $test,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            service: $data['service'] ?? null,
            to: $data['to'] ?? null,
            status: $data['status'] ?? '',
            language: $data['language'] ?? null,
            parts: $data['parts'] ?? null,
            price: $data['price'] ?? null,
            currency: $data['currency'] ?? null,
            clientRef: $data['client_ref'] ?? null,
            createdAt: $data['created_at'] ?? null,
            doneAt: $data['done_at'] ?? null,
            test: $data['test'] ?? false,
        );
    }
}

final class BalanceLowCallbackData extends Record
{
    public const LIMIT_LOW_BALANCE = 'low_balance';
    public const LIMIT_COST_WARNING = 'cost_warning';

    /**
     * @param string $billingAccountId Id, as a decimal string.
     * @param string|null $name
     * @param 'low_balance'|'cost_warning'|string $limit Limit of the account that was passed.
     * @param string $balance Decimal string with three decimals.
     * @param string|null $currency
     */
    public function __construct(
        public readonly string $billingAccountId,
        public readonly ?string $name,
        public readonly string $limit,
        public readonly string $balance,
        public readonly ?string $currency,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            billingAccountId: $data['billing_account_id'] ?? '',
            name: $data['name'] ?? null,
            limit: $data['limit'] ?? '',
            balance: $data['balance'] ?? '',
            currency: $data['currency'] ?? null,
        );
    }
}

final class PaymentReceivedCallbackData extends Record
{
    /**
     * @param string|null $id Top-up; null for a payment that a person entered.
     * @param string|null $billingAccountId
     * @param string|null $amount What the account got.
     * @param string|null $total What was paid, with the fee.
     * @param string|null $currency
     * @param string|null $method Name of the payment method.
     * @param string|null $reference
     * @param string|null $clientReference
     * @param string|null $paidAt
     */
    public function __construct(
        public readonly ?string $id,
        public readonly ?string $billingAccountId,
        public readonly ?string $amount,
        public readonly ?string $total,
        public readonly ?string $currency,
        public readonly ?string $method,
        public readonly ?string $reference,
        public readonly ?string $clientReference,
        public readonly ?string $paidAt,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? null,
            billingAccountId: $data['billing_account_id'] ?? null,
            amount: $data['amount'] ?? null,
            total: $data['total'] ?? null,
            currency: $data['currency'] ?? null,
            method: $data['method'] ?? null,
            reference: $data['reference'] ?? null,
            clientReference: $data['client_reference'] ?? null,
            paidAt: $data['paid_at'] ?? null,
        );
    }
}

final class InvoiceIssuedCallbackData extends Record
{
    public const KIND_INVOICE = 'invoice';
    public const KIND_CREDIT_NOTE = 'credit_note';
    public const KIND_RECEIPT = 'receipt';

    /**
     * @param string $id Id, as a decimal string.
     * @param 'invoice'|'credit_note'|'receipt'|string|null $kind
     * @param string|null $number
     * @param string|null $issueDate
     * @param string|null $dueDate
     * @param string|null $total
     * @param string|null $currency
     * @param string|null $billingAccountId
     * @param string|null $creditedInvoiceId Invoice that a credit note is about.
     */
    public function __construct(
        public readonly string $id,
        public readonly ?string $kind,
        public readonly ?string $number,
        public readonly ?string $issueDate,
        public readonly ?string $dueDate,
        public readonly ?string $total,
        public readonly ?string $currency,
        public readonly ?string $billingAccountId,
        public readonly ?string $creditedInvoiceId,
    ) {
    }

    public static function fromArray(array $data): static
    {
        return new self(
            id: $data['id'] ?? '',
            kind: $data['kind'] ?? null,
            number: $data['number'] ?? null,
            issueDate: $data['issue_date'] ?? null,
            dueDate: $data['due_date'] ?? null,
            total: $data['total'] ?? null,
            currency: $data['currency'] ?? null,
            billingAccountId: $data['billing_account_id'] ?? null,
            creditedInvoiceId: $data['credited_invoice_id'] ?? null,
        );
    }
}
