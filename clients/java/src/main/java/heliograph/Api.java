// Made by scripts/generate-clients.ts of packages/contract/src/api: change it there.

package heliograph;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** Types of the API: records of answers, and what requests are made of. */
public final class Api {
    private Api() {}

    /**
     * @param type Address of a page about this kind of error, relative to the address of the call.
     * @param title Name of this kind of error, the same each time.
     * @param reason Cause of the code {@code unavailable}, if it is known. The header Retry-After has the seconds to wait. One of {@code database_unreachable}, {@code database_restarting}, {@code database_read_only}, {@code database_connections}, {@code database_locked}, {@code database_too_slow}, {@code database_out_of_memory}, {@code database_full}, {@code database_fault}, {@code storage_unreachable}, {@code storage_full}, {@code overloaded}, {@code stopping}. May be null.
     * @param detail May be null.
     * @param requestId Id of the call. Include it when you ask about the call.
     * @param errors Sentences by field; {@code recipients.3.to} is the {@code to} of the fourth recipient. May be null.
     */
    public record Problem(
            String type,
            String title,
            long status,
            String code,
            String reason,
            String detail,
            String requestId,
            String message,
            Map<String, List<String>> errors) {
        public static final String REASON_DATABASE_UNREACHABLE = "database_unreachable";
        public static final String REASON_DATABASE_RESTARTING = "database_restarting";
        public static final String REASON_DATABASE_READ_ONLY = "database_read_only";
        public static final String REASON_DATABASE_CONNECTIONS = "database_connections";
        public static final String REASON_DATABASE_LOCKED = "database_locked";
        public static final String REASON_DATABASE_TOO_SLOW = "database_too_slow";
        public static final String REASON_DATABASE_OUT_OF_MEMORY = "database_out_of_memory";
        public static final String REASON_DATABASE_FULL = "database_full";
        public static final String REASON_DATABASE_FAULT = "database_fault";
        public static final String REASON_STORAGE_UNREACHABLE = "storage_unreachable";
        public static final String REASON_STORAGE_FULL = "storage_full";
        public static final String REASON_OVERLOADED = "overloaded";
        public static final String REASON_STOPPING = "stopping";
    }

    /** Part of a request. */
    public static final class SendMessageRequest extends Fields<SendMessageRequest> {
        public static final String ENCODING_AUTO = "auto";
        public static final String ENCODING_GSM = "gsm";
        public static final String ENCODING_UCS2 = "ucs2";
        public static final String CLASS_OTP = "otp";
        public static final String CLASS_TRANSACTIONAL = "transactional";
        public static final String CLASS_BULK = "bulk";

        /** Required. Phone number in international format. Spaces, dashes and a leading + or 00 are allowed. */
        public SendMessageRequest to(String value) {
            return set("to", value);
        }

        /** Required. At most 10 parts: 160 GSM characters or 70 others in one part, 153 or 67 in each of several. */
        public SendMessageRequest text(String value) {
            return set("text", value);
        }

        /** Required. One of your sender IDs, as phones show it: 1 to 11 characters, or a number. */
        public SendMessageRequest from(String value) {
            return set("from", value);
        }

        /** {@code gsm} refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: {@code "auto"}. One of {@code auto}, {@code gsm}, {@code ucs2}. */
        public SendMessageRequest encoding(String value) {
            return set("encoding", value);
        }

        /** Shown immediately and not kept by the phone. Your account must allow it. Default: {@code false}. */
        public SendMessageRequest flash(boolean value) {
            return set("flash", value);
        }

        /** {@code otp} (sign-in codes) is sent first, {@code bulk} last. Nothing is added to the text of an {@code otp} message. Default: {@code "transactional"}. One of {@code otp}, {@code transactional}, {@code bulk}. */
        public SendMessageRequest class_(String value) {
            return set("class", value);
        }

        /** Earliest time to send, at most 7 days ahead, by RFC 3339. Without it: immediately. */
        public SendMessageRequest sendAt(String value) {
            return set("send_at", value);
        }

        /** Minutes after which the message is not delivered any more. The maximum of your account is also the default. */
        public SendMessageRequest validity(long value) {
            return set("validity", value);
        }

        /** Address that receives the outcome of each message, besides your endpoints. The callback is signed in the same way. */
        public SendMessageRequest callbackUrl(String value) {
            return set("callback_url", value);
        }

        /** Values of parameters that carriers ask for, by the names that the operator gave them, such as {@code dlt_template_id}. Your account must allow it. Default: {@code {}}. */
        public SendMessageRequest parameters(Map<String, String> value) {
            return set("parameters", value);
        }

        /** True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup. */
        public SendMessageRequest skipDead(boolean value) {
            return set("skip_dead", value);
        }

        /** Your own labels, returned in answers and callbacks. Default: {@code []}. */
        public SendMessageRequest tags(List<String> value) {
            return set("tags", value);
        }

        /** Your own labels, returned in answers and callbacks. Default: {@code []}. */
        public SendMessageRequest tags(String... value) {
            return set("tags", List.of(value));
        }

        /** Your own reference, returned in answers and callbacks. */
        public SendMessageRequest clientRef(String value) {
            return set("client_ref", value);
        }

        /** If true, a {@code client_ref} that another message of this key has is refused. Default: {@code false}. */
        public SendMessageRequest uniqueRef(boolean value) {
            return set("unique_ref", value);
        }
    }

    /**
     * @param id Id, as a decimal string.
     * @param to Only digits. Masked, such as {@code 63917•••••67}, if the owner or the maker of the key may not see numbers.
     * @param state One of {@code pending}, {@code scheduled}.
     * @param price Reserved amount. Your account decides when it is charged.
     * @param clientRef May be null.
     * @param sendAt May be null.
     * @param test Sent with a test key: it goes to a test link and costs nothing.
     */
    public record SendMessageReply(
            String id,
            String to,
            String state,
            long parts,
            String price,
            String currency,
            String clientRef,
            String sendAt,
            String expiresAt,
            boolean test) {
        public static final String STATE_PENDING = "pending";
        public static final String STATE_SCHEDULED = "scheduled";
    }

    /** Part of a request. */
    public static final class EstimateMessageRequest extends Fields<EstimateMessageRequest> {
        public static final String ENCODING_AUTO = "auto";
        public static final String ENCODING_GSM = "gsm";
        public static final String ENCODING_UCS2 = "ucs2";
        public static final String CLASS_OTP = "otp";
        public static final String CLASS_TRANSACTIONAL = "transactional";
        public static final String CLASS_BULK = "bulk";

        /** Required. */
        public EstimateMessageRequest to(List<String> value) {
            return set("to", value);
        }

        /** Required. */
        public EstimateMessageRequest to(String... value) {
            return set("to", List.of(value));
        }

        /** Required. At most 10 parts: 160 GSM characters or 70 others in one part, 153 or 67 in each of several. */
        public EstimateMessageRequest text(String value) {
            return set("text", value);
        }

        /** Required. One of your sender IDs, as phones show it: 1 to 11 characters, or a number. */
        public EstimateMessageRequest from(String value) {
            return set("from", value);
        }

        /** {@code gsm} refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: {@code "auto"}. One of {@code auto}, {@code gsm}, {@code ucs2}. */
        public EstimateMessageRequest encoding(String value) {
            return set("encoding", value);
        }

        /** Shown immediately and not kept by the phone. Your account must allow it. Default: {@code false}. */
        public EstimateMessageRequest flash(boolean value) {
            return set("flash", value);
        }

        /** {@code otp} (sign-in codes) is sent first, {@code bulk} last. Nothing is added to the text of an {@code otp} message. Default: {@code "transactional"}. One of {@code otp}, {@code transactional}, {@code bulk}. */
        public EstimateMessageRequest class_(String value) {
            return set("class", value);
        }

        /** True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup. */
        public EstimateMessageRequest skipDead(boolean value) {
            return set("skip_dead", value);
        }
    }

    /**
     * @param text Text with the signature and the opt-out notice. Null if all recipients are refused.
     * @param encoding One of {@code gsm}, {@code ucs2}. May be null.
     * @param messages Number of messages that would be accepted.
     * @param price Amount with three decimals, as a decimal string.
     */
    public record EstimateMessageReply(
            String text,
            String encoding,
            long messages,
            long parts,
            String price,
            String currency,
            List<EstimateMessageReplyRecipientsItem> recipients,
            List<EstimateMessageReplyRejectedItem> rejected) {
        public static final String ENCODING_GSM = "gsm";
        public static final String ENCODING_UCS2 = "ucs2";
    }

    /**
     * @param price Amount with three decimals, as a decimal string.
     */
    public record EstimateMessageReplyRecipientsItem(
            long index,
            String to,
            long parts,
            String price) {}

    /**
     * @param field May be null.
     * @param index Position in the request, from 0.
     */
    public record EstimateMessageReplyRejectedItem(
            String code,
            String field,
            String detail,
            long index,
            String to) {}

    /**
     * @param id Id, as a decimal string.
     * @param to Number of the recipient. Masked, such as {@code 63917•••••67}, if the owner or the maker of the key may not see numbers.
     * @param text Text as it was sent. Null if the owner of the key may not see texts.
     * @param state One of {@code pending}, {@code submitted}, {@code delivered}, {@code expired}, {@code cancelled}, {@code failed_internal}, {@code failed_billing}, {@code failed_submit}, {@code failed_other}, {@code blocked}, {@code scheduled}.
     * @param errorCode Error code of the carrier, or {@code moderation} if the platform rejected the message. May be null.
     * @param class_ One of {@code otp}, {@code transactional}, {@code bulk}.
     * @param encoding One of {@code gsm}, {@code ucs2}.
     * @param price Amount with three decimals, as a decimal string.
     * @param clientRef May be null.
     * @param callbackUrl May be null.
     * @param batchId May be null.
     * @param sendAt May be null.
     * @param expiresAt May be null.
     * @param doneAt Time of the final state. May be null.
     */
    public record GetMessageReply(
            String id,
            String from,
            String to,
            String text,
            String state,
            String errorCode,
            String class_,
            String encoding,
            boolean flash,
            long parts,
            String price,
            String currency,
            String clientRef,
            List<String> tags,
            String callbackUrl,
            String batchId,
            String sendAt,
            String expiresAt,
            String createdAt,
            String doneAt,
            boolean test) {
        public static final String STATE_PENDING = "pending";
        public static final String STATE_SUBMITTED = "submitted";
        public static final String STATE_DELIVERED = "delivered";
        public static final String STATE_EXPIRED = "expired";
        public static final String STATE_CANCELLED = "cancelled";
        public static final String STATE_FAILED_INTERNAL = "failed_internal";
        public static final String STATE_FAILED_BILLING = "failed_billing";
        public static final String STATE_FAILED_SUBMIT = "failed_submit";
        public static final String STATE_FAILED_OTHER = "failed_other";
        public static final String STATE_BLOCKED = "blocked";
        public static final String STATE_SCHEDULED = "scheduled";
        public static final String CLASS_OTP = "otp";
        public static final String CLASS_TRANSACTIONAL = "transactional";
        public static final String CLASS_BULK = "bulk";
        public static final String ENCODING_GSM = "gsm";
        public static final String ENCODING_UCS2 = "ucs2";
    }

    /** Part of a request. */
    public static final class SendBatchRequest extends Fields<SendBatchRequest> {
        public static final String ENCODING_AUTO = "auto";
        public static final String ENCODING_GSM = "gsm";
        public static final String ENCODING_UCS2 = "ucs2";
        public static final String CLASS_OTP = "otp";
        public static final String CLASS_TRANSACTIONAL = "transactional";
        public static final String CLASS_BULK = "bulk";

        /** Text for every recipient without its own text. It may contain {@code {name}} and {@code {param1}} to {@code {param9}}. */
        public SendBatchRequest text(String value) {
            return set("text", value);
        }

        /** Required. */
        public SendBatchRequest recipients(List<SendBatchRecipient> value) {
            return set("recipients", value);
        }

        /** Required. */
        public SendBatchRequest recipients(SendBatchRecipient... value) {
            return set("recipients", List.of(value));
        }

        /** Required. One of your sender IDs, as phones show it: 1 to 11 characters, or a number. */
        public SendBatchRequest from(String value) {
            return set("from", value);
        }

        /** {@code gsm} refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text. Default: {@code "auto"}. One of {@code auto}, {@code gsm}, {@code ucs2}. */
        public SendBatchRequest encoding(String value) {
            return set("encoding", value);
        }

        /** Shown immediately and not kept by the phone. Your account must allow it. Default: {@code false}. */
        public SendBatchRequest flash(boolean value) {
            return set("flash", value);
        }

        /** {@code otp} (sign-in codes) is sent first, {@code bulk} last. Nothing is added to the text of an {@code otp} message. Default: {@code "transactional"}. One of {@code otp}, {@code transactional}, {@code bulk}. */
        public SendBatchRequest class_(String value) {
            return set("class", value);
        }

        /** Earliest time to send, at most 7 days ahead, by RFC 3339. Without it: immediately. */
        public SendBatchRequest sendAt(String value) {
            return set("send_at", value);
        }

        /** Minutes after which the message is not delivered any more. The maximum of your account is also the default. */
        public SendBatchRequest validity(long value) {
            return set("validity", value);
        }

        /** Address that receives the outcome of each message, besides your endpoints. The callback is signed in the same way. */
        public SendBatchRequest callbackUrl(String value) {
            return set("callback_url", value);
        }

        /** Values of parameters that carriers ask for, by the names that the operator gave them, such as {@code dlt_template_id}. Your account must allow it. Default: {@code {}}. */
        public SendBatchRequest parameters(Map<String, String> value) {
            return set("parameters", value);
        }

        /** True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup. */
        public SendBatchRequest skipDead(boolean value) {
            return set("skip_dead", value);
        }

        /** Your own labels, returned in answers and callbacks. Default: {@code []}. */
        public SendBatchRequest tags(List<String> value) {
            return set("tags", value);
        }

        /** Your own labels, returned in answers and callbacks. Default: {@code []}. */
        public SendBatchRequest tags(String... value) {
            return set("tags", List.of(value));
        }

        /** Your own reference for the batch. */
        public SendBatchRequest clientRef(String value) {
            return set("client_ref", value);
        }

        /** If true, a {@code client_ref} that another message of this key has is refused. Default: {@code false}. */
        public SendBatchRequest uniqueRef(boolean value) {
            return set("unique_ref", value);
        }
    }

    /** Part of a request. */
    public static final class SendBatchRecipient extends Fields<SendBatchRecipient> {
        /** Required. Phone number in international format. Spaces, dashes and a leading + or 00 are allowed. */
        public SendBatchRecipient to(String value) {
            return set("to", value);
        }

        /** Text for this recipient instead of the common one. It is sent unchanged. */
        public SendBatchRecipient text(String value) {
            return set("text", value);
        }

        /** Values for {@code {name}} and {@code {param1}} to {@code {param9}} in the text. */
        public SendBatchRecipient params(SendBatchParams value) {
            return set("params", value);
        }

        /** Your own reference, returned in answers and callbacks. */
        public SendBatchRecipient clientRef(String value) {
            return set("client_ref", value);
        }
    }

    /** Part of a request. */
    public static final class SendBatchParams extends Fields<SendBatchParams> {
        public SendBatchParams name(String value) {
            return set("name", value);
        }

        public SendBatchParams param1(String value) {
            return set("param1", value);
        }

        public SendBatchParams param2(String value) {
            return set("param2", value);
        }

        public SendBatchParams param3(String value) {
            return set("param3", value);
        }

        public SendBatchParams param4(String value) {
            return set("param4", value);
        }

        public SendBatchParams param5(String value) {
            return set("param5", value);
        }

        public SendBatchParams param6(String value) {
            return set("param6", value);
        }

        public SendBatchParams param7(String value) {
            return set("param7", value);
        }

        public SendBatchParams param8(String value) {
            return set("param8", value);
        }

        public SendBatchParams param9(String value) {
            return set("param9", value);
        }
    }

    /**
     * @param id Id, as a decimal string.
     * @param price Sum of the reserved amounts, as a decimal string.
     * @param clientRef May be null.
     * @param rejected Recipients that were not accepted. They cost nothing.
     */
    public record SendBatchReply(
            String id,
            long total,
            long accepted,
            long parts,
            String price,
            String currency,
            String clientRef,
            List<String> tags,
            List<EstimateMessageReplyRejectedItem> rejected,
            boolean test) {}

    /**
     * @param id Id, as a decimal string.
     * @param price Sum of the reserved amounts, as a decimal string.
     * @param clientRef May be null.
     * @param rejected Recipients that were not accepted. They cost nothing.
     */
    public record GetBatchReply(
            String id,
            long total,
            long accepted,
            long parts,
            String price,
            String currency,
            String clientRef,
            List<String> tags,
            List<EstimateMessageReplyRejectedItem> rejected,
            Map<String, Long> states,
            String createdAt) {}

    /** Part of a request. */
    public static final class StartVerificationRequest extends Fields<StartVerificationRequest> {
        public static final String LANGUAGE_EN = "en";
        public static final String LANGUAGE_CN = "cn";
        public static final String LANGUAGE_ZH = "zh";
        public static final String LANGUAGE_FP = "fp";

        /** Required. Verify service of your account; its id is on its page in the console. */
        public StartVerificationRequest service(String value) {
            return set("service", value);
        }

        /** Required. Phone number in international format. Spaces, dashes and a leading + or 00 are allowed. */
        public StartVerificationRequest to(String value) {
            return set("to", value);
        }

        /** Language of the text. Without it: that of the service. One of {@code en}, {@code cn}, {@code zh}, {@code fp}. */
        public StartVerificationRequest language(String value) {
            return set("language", value);
        }

        /** Address of the person, not of your server. Stored for 30 days. */
        public StartVerificationRequest clientIp(String value) {
            return set("client_ip", value);
        }

        /** Your own id of the device or session. Stored for 30 days. */
        public StartVerificationRequest device(String value) {
            return set("device", value);
        }

        /** Your own reference, returned in answers and callbacks. */
        public StartVerificationRequest clientRef(String value) {
            return set("client_ref", value);
        }
    }

    /**
     * @param id Id, as a decimal string.
     * @param service Verify service whose rules it follows.
     * @param to Number. Masked, such as {@code 63917•••••67}, if the key may not see numbers.
     * @param status {@code approved}: the right code was entered in time. {@code failed}: all tries were wrong. One of {@code pending}, {@code approved}, {@code failed}, {@code expired}, {@code cancelled}.
     * @param language One of {@code en}, {@code cn}, {@code zh}, {@code fp}.
     * @param attemptsLeft Codes that may still be checked.
     * @param resendAt Earliest time of the next resend; null if there is none.
     * @param messages Messages with the code, the first one first.
     * @param parts Parts of all its messages.
     * @param price Reserved amount of all its messages, with three decimals.
     * @param clientRef May be null.
     * @param expiresAt Time until which the code is valid.
     * @param doneAt Time of the final status. May be null.
     */
    public record StartVerificationReply(
            String id,
            String service,
            String to,
            String status,
            String language,
            long attemptsLeft,
            long resendsLeft,
            String resendAt,
            List<StartVerificationReplyMessagesItem> messages,
            long parts,
            String price,
            String currency,
            String clientRef,
            String createdAt,
            String expiresAt,
            String doneAt,
            boolean test) {
        public static final String STATUS_PENDING = "pending";
        public static final String STATUS_APPROVED = "approved";
        public static final String STATUS_FAILED = "failed";
        public static final String STATUS_EXPIRED = "expired";
        public static final String STATUS_CANCELLED = "cancelled";
        public static final String LANGUAGE_EN = "en";
        public static final String LANGUAGE_CN = "cn";
        public static final String LANGUAGE_ZH = "zh";
        public static final String LANGUAGE_FP = "fp";
    }

    /**
     * @param id Id, as a decimal string.
     * @param state State as in {@code GET /v1/messages/{id}}.
     * @param errorCode May be null.
     */
    public record StartVerificationReplyMessagesItem(
            String id,
            String state,
            String errorCode) {}

    /** Part of a request. */
    public static final class CheckVerificationRequest extends Fields<CheckVerificationRequest> {
        /** Required. Digits of the code. Blanks and dashes between them are ignored. */
        public CheckVerificationRequest code(String value) {
            return set("code", value);
        }
    }

    /**
     * @param credit Decimal string with three decimals.
     * @param reserved Amount set aside for messages without a final state.
     * @param creditLimit Amount by which the credit may go below zero.
     * @param available Amount that can be spent now.
     */
    public record GetBalanceReply(
            String billingAccount,
            String credit,
            String reserved,
            String creditLimit,
            String available,
            String currency,
            boolean suspended) {}

    /**
     * @param id Id, as a decimal string.
     * @param kind One of {@code invoice}, {@code credit_note}, {@code receipt}.
     * @param status {@code issued} is the state of credit notes and receipts. One of {@code open}, {@code part_paid}, {@code overdue}, {@code paid}, {@code credited}, {@code issued}.
     * @param dueDate May be null.
     * @param periodFrom May be null.
     * @param periodTo May be null.
     * @param net Decimal string with three decimals.
     * @param tax Decimal string with three decimals.
     * @param rounding Difference between the total and the sum with tax, if prices include tax.
     * @param total Decimal string with three decimals.
     * @param withholding Part of the total that you are expected to withhold and to pay to the tax authority.
     * @param paid Decimal string with three decimals.
     * @param credited Sum of the credit notes for it.
     * @param open Still to be paid.
     * @param billingAccountId Account whose payments pay it. May be null.
     */
    public record ListInvoicesItem(
            String id,
            String kind,
            String number,
            String status,
            String seller,
            String buyer,
            String issueDate,
            String dueDate,
            String periodFrom,
            String periodTo,
            String currency,
            String net,
            String tax,
            String rounding,
            String total,
            String withholding,
            String paid,
            String credited,
            String open,
            String billingAccountId,
            String issuedAt) {
        public static final String KIND_INVOICE = "invoice";
        public static final String KIND_CREDIT_NOTE = "credit_note";
        public static final String KIND_RECEIPT = "receipt";
        public static final String STATUS_OPEN = "open";
        public static final String STATUS_PART_PAID = "part_paid";
        public static final String STATUS_OVERDUE = "overdue";
        public static final String STATUS_PAID = "paid";
        public static final String STATUS_CREDITED = "credited";
        public static final String STATUS_ISSUED = "issued";
    }

    /**
     * @param id Id, as a decimal string.
     * @param kind One of {@code invoice}, {@code credit_note}, {@code receipt}.
     * @param status {@code issued} is the state of credit notes and receipts. One of {@code open}, {@code part_paid}, {@code overdue}, {@code paid}, {@code credited}, {@code issued}.
     * @param dueDate May be null.
     * @param periodFrom May be null.
     * @param periodTo May be null.
     * @param net Decimal string with three decimals.
     * @param tax Decimal string with three decimals.
     * @param rounding Difference between the total and the sum with tax, if prices include tax.
     * @param total Decimal string with three decimals.
     * @param withholding Part of the total that you are expected to withhold and to pay to the tax authority.
     * @param paid Decimal string with three decimals.
     * @param credited Sum of the credit notes for it.
     * @param open Still to be paid.
     * @param billingAccountId Account whose payments pay it. May be null.
     * @param reason Reason of a credit note. May be null.
     * @param creditedInvoiceId Invoice that a credit note is about. May be null.
     * @param filesReady The files can be downloaded, usually a few seconds after the issue.
     * @param payments Parts of payments that paid it.
     */
    public record GetInvoiceReply(
            String id,
            String kind,
            String number,
            String status,
            String seller,
            String buyer,
            String issueDate,
            String dueDate,
            String periodFrom,
            String periodTo,
            String currency,
            String net,
            String tax,
            String rounding,
            String total,
            String withholding,
            String paid,
            String credited,
            String open,
            String billingAccountId,
            String issuedAt,
            String reason,
            String creditedInvoiceId,
            boolean filesReady,
            List<GetInvoiceReplyTaxesItem> taxes,
            List<GetInvoiceReplyPaymentsItem> payments,
            List<GetInvoiceReplyCreditNotesItem> creditNotes) {
        public static final String KIND_INVOICE = "invoice";
        public static final String KIND_CREDIT_NOTE = "credit_note";
        public static final String KIND_RECEIPT = "receipt";
        public static final String STATUS_OPEN = "open";
        public static final String STATUS_PART_PAID = "part_paid";
        public static final String STATUS_OVERDUE = "overdue";
        public static final String STATUS_PAID = "paid";
        public static final String STATUS_CREDITED = "credited";
        public static final String STATUS_ISSUED = "issued";
    }

    /**
     * @param category One of {@code standard}, {@code zero}, {@code exempt}, {@code outside}.
     * @param rate Percentage.
     * @param taxable Decimal string with three decimals.
     * @param tax Decimal string with three decimals.
     */
    public record GetInvoiceReplyTaxesItem(
            String category,
            String rate,
            String taxable,
            String tax) {
        public static final String CATEGORY_STANDARD = "standard";
        public static final String CATEGORY_ZERO = "zero";
        public static final String CATEGORY_EXEMPT = "exempt";
        public static final String CATEGORY_OUTSIDE = "outside";
    }

    /**
     * @param amount Decimal string with three decimals.
     */
    public record GetInvoiceReplyPaymentsItem(
            String amount,
            String paidAt) {}

    /**
     * @param id Id, as a decimal string.
     * @param total Decimal string with three decimals.
     */
    public record GetInvoiceReplyCreditNotesItem(
            String id,
            String number,
            String issueDate,
            String total) {}

    /**
     * @param id Id, as a decimal string.
     * @param state The account has the credit from {@code paid} on; refunds and chargebacks take it back. One of {@code created}, {@code awaiting_payment}, {@code in_review}, {@code paid}, {@code partly_refunded}, {@code refunded}, {@code charged_back}, {@code failed}, {@code expired}, {@code rejected}.
     * @param billingAccountId Id, as a decimal string.
     * @param amount Credit that the account gets.
     * @param fee Fee on top of it.
     * @param total Amount that is paid: the credit and the fee.
     * @param method Name of the payment method.
     * @param automatic A kept card was charged, because the account could spend less than a threshold.
     * @param reference Our reference at the provider and on bank statements.
     * @param clientReference May be null.
     * @param returned Money that went back to you.
     * @param takenBack Credit that the account lost with it.
     * @param paidAt May be null.
     */
    public record ListTopUpsItem(
            String id,
            String state,
            String billingAccountId,
            String amount,
            String fee,
            String total,
            String currency,
            String method,
            boolean automatic,
            String reference,
            String clientReference,
            String returned,
            String takenBack,
            String createdAt,
            String paidAt) {
        public static final String STATE_CREATED = "created";
        public static final String STATE_AWAITING_PAYMENT = "awaiting_payment";
        public static final String STATE_IN_REVIEW = "in_review";
        public static final String STATE_PAID = "paid";
        public static final String STATE_PARTLY_REFUNDED = "partly_refunded";
        public static final String STATE_REFUNDED = "refunded";
        public static final String STATE_CHARGED_BACK = "charged_back";
        public static final String STATE_FAILED = "failed";
        public static final String STATE_EXPIRED = "expired";
        public static final String STATE_REJECTED = "rejected";
    }

    /**
     * @param id Id, as a decimal string.
     * @param state The account has the credit from {@code paid} on; refunds and chargebacks take it back. One of {@code created}, {@code awaiting_payment}, {@code in_review}, {@code paid}, {@code partly_refunded}, {@code refunded}, {@code charged_back}, {@code failed}, {@code expired}, {@code rejected}.
     * @param billingAccountId Id, as a decimal string.
     * @param amount Credit that the account gets.
     * @param fee Fee on top of it.
     * @param total Amount that is paid: the credit and the fee.
     * @param method Name of the payment method.
     * @param automatic A kept card was charged, because the account could spend less than a threshold.
     * @param reference Our reference at the provider and on bank statements.
     * @param clientReference May be null.
     * @param returned Money that went back to you.
     * @param takenBack Credit that the account lost with it.
     * @param paidAt May be null.
     */
    public record GetTopUpReply(
            String id,
            String state,
            String billingAccountId,
            String amount,
            String fee,
            String total,
            String currency,
            String method,
            boolean automatic,
            String reference,
            String clientReference,
            String returned,
            String takenBack,
            String createdAt,
            String paidAt,
            List<GetTopUpReplyReturnsItem> returns) {
        public static final String STATE_CREATED = "created";
        public static final String STATE_AWAITING_PAYMENT = "awaiting_payment";
        public static final String STATE_IN_REVIEW = "in_review";
        public static final String STATE_PAID = "paid";
        public static final String STATE_PARTLY_REFUNDED = "partly_refunded";
        public static final String STATE_REFUNDED = "refunded";
        public static final String STATE_CHARGED_BACK = "charged_back";
        public static final String STATE_FAILED = "failed";
        public static final String STATE_EXPIRED = "expired";
        public static final String STATE_REJECTED = "rejected";
    }

    /**
     * @param kind One of {@code refund}, {@code chargeback}.
     * @param state One of {@code asked}, {@code pending}, {@code done}, {@code failed}, {@code open}, {@code lost}, {@code won}, {@code reversed}.
     * @param amount Decimal string with three decimals.
     * @param reason May be null.
     */
    public record GetTopUpReplyReturnsItem(
            String kind,
            String state,
            String amount,
            String reason,
            String createdAt) {
        public static final String KIND_REFUND = "refund";
        public static final String KIND_CHARGEBACK = "chargeback";
        public static final String STATE_ASKED = "asked";
        public static final String STATE_PENDING = "pending";
        public static final String STATE_DONE = "done";
        public static final String STATE_FAILED = "failed";
        public static final String STATE_OPEN = "open";
        public static final String STATE_LOST = "lost";
        public static final String STATE_WON = "won";
        public static final String STATE_REVERSED = "reversed";
    }

    /**
     * @param id Id, as a decimal string.
     * @param from Number of the phone. Masked, such as {@code 63917•••••67}, if the owner or the maker of the key may not see numbers.
     * @param to Short code, number or sender ID that the phone sent to.
     * @param keyword May be null.
     * @param binary The text is hexadecimal.
     * @param parameters Parameters that the carrier added, by name, or by tag such as {@code 0x1401} and in hexadecimal.
     */
    public record ListInboundItem(
            String id,
            String from,
            String to,
            String text,
            String keyword,
            boolean binary,
            Map<String, String> parameters,
            String receivedAt) {}

    /**
     * @param id Id, as a decimal string.
     * @param number Number of the phone. Masked, such as {@code 63917•••••67}, if the owner or the maker of the key may not see numbers.
     * @param to Short code, number or sender ID that the phone sent to last.
     * @param open False after somebody closed it. A new message of the phone opens it again.
     * @param unread Number of unread messages.
     * @param assignedTo User in charge. May be null.
     * @param lastAt Time of the latest message, or of the latest answer by a person.
     */
    public record GetConversationReply(
            String id,
            String number,
            String to,
            boolean open,
            long unread,
            String assignedTo,
            String lastAt) {}

    /**
     * @param id Id, as a decimal string.
     * @param direction {@code in} from the phone, {@code out} to it. One of {@code in}, {@code out}.
     * @param text Null if your user may not read texts.
     * @param number Short code, number or sender ID on your side.
     * @param binary The text is hexadecimal.
     * @param status State of a message to the phone. May be null.
     */
    public record ListConversationMessagesItem(
            String id,
            String direction,
            String text,
            String number,
            boolean binary,
            String status,
            String at) {
        public static final String DIRECTION_IN = "in";
        public static final String DIRECTION_OUT = "out";
    }

    /** Part of a request. */
    public static final class UpdateConversationRequest extends Fields<UpdateConversationRequest> {
        public UpdateConversationRequest open(boolean value) {
            return set("open", value);
        }

        /** User who may read the inbox; null for nobody. */
        public UpdateConversationRequest assignedTo(String value) {
            return setOrNull("assigned_to", value);
        }
    }

    public record ListConsentsReply(
            List<AddConsentReply> data) {}

    /**
     * @param id Id, as a decimal string.
     * @param number Number of the person. Masked, such as {@code 63917•••••67}, if the owner or the maker of the key may not see numbers.
     * @param kind One of {@code opt_in}, {@code asked}, {@code opt_out}.
     * @param source One of {@code form}, {@code keyword}, {@code import}, {@code api}, {@code person}.
     * @param from Sender ID that the event is about; null for all.
     * @param wording May be null.
     * @param proof May be null.
     */
    public record AddConsentReply(
            String id,
            String number,
            String kind,
            String source,
            String from,
            String wording,
            String proof,
            String at) {
        public static final String KIND_OPT_IN = "opt_in";
        public static final String KIND_ASKED = "asked";
        public static final String KIND_OPT_OUT = "opt_out";
        public static final String SOURCE_FORM = "form";
        public static final String SOURCE_KEYWORD = "keyword";
        public static final String SOURCE_IMPORT = "import";
        public static final String SOURCE_API = "api";
        public static final String SOURCE_PERSON = "person";
    }

    /** Part of a request. */
    public static final class AddConsentRequest extends Fields<AddConsentRequest> {
        public static final String KIND_OPT_IN = "opt_in";
        public static final String KIND_ASKED = "asked";
        public static final String KIND_OPT_OUT = "opt_out";

        /** Required. */
        public AddConsentRequest number(String value) {
            return set("number", value);
        }

        /** Required. One of {@code opt_in}, {@code asked}, {@code opt_out}. */
        public AddConsentRequest kind(String value) {
            return set("kind", value);
        }

        /** Sender ID that the event is about; null for all. Default: {@code null}. */
        public AddConsentRequest from(String value) {
            return setOrNull("from", value);
        }

        /** Wording that the person agreed to. Default: {@code null}. */
        public AddConsentRequest wording(String value) {
            return setOrNull("wording", value);
        }

        /** Evidence, such as the address of a form. Default: {@code null}. */
        public AddConsentRequest proof(String value) {
            return setOrNull("proof", value);
        }

        /** Time of the event; not in the future. Now by default. */
        public AddConsentRequest at(String value) {
            return set("at", value);
        }
    }

    /**
     * @param id Id, as a decimal string.
     * @param number Number of the person. Masked, such as {@code 63917•••••67}, if the owner or the maker of the key may not see numbers.
     * @param name May be null.
     * @param fields Values by the keys of the fields. Fields without a value are left out.
     * @param consent Consent of the person to your corporation, from the recorded events; {@code none} if nothing is recorded. One of {@code opt_in}, {@code asked}, {@code opt_out}, {@code none}.
     */
    public record GetContactReply(
            String id,
            String number,
            String name,
            List<String> tags,
            Map<String, Object> fields,
            String consent,
            String createdAt,
            String updatedAt) {
        public static final String CONSENT_OPT_IN = "opt_in";
        public static final String CONSENT_ASKED = "asked";
        public static final String CONSENT_OPT_OUT = "opt_out";
        public static final String CONSENT_NONE = "none";
    }

    /** Part of a request. */
    public static final class SaveContactRequest extends Fields<SaveContactRequest> {
        /** Required. */
        public SaveContactRequest number(String value) {
            return set("number", value);
        }

        public SaveContactRequest name(String value) {
            return setOrNull("name", value);
        }

        /** All tags of the contact. */
        public SaveContactRequest tags(List<String> value) {
            return set("tags", value);
        }

        /** All tags of the contact. */
        public SaveContactRequest tags(String... value) {
            return set("tags", List.of(value));
        }

        /** Values by the keys of their fields. Dates are such as 2026-01-31. */
        public SaveContactRequest fields(Map<String, Object> value) {
            return set("fields", value);
        }
    }

    /** Part of a request. */
    public static final class SaveContactsRequest extends Fields<SaveContactsRequest> {
        /** Required. */
        public SaveContactsRequest contacts(List<SaveContactRequest> value) {
            return set("contacts", value);
        }

        /** Required. */
        public SaveContactsRequest contacts(SaveContactRequest... value) {
            return set("contacts", List.of(value));
        }
    }

    public record SaveContactsReply(
            List<SaveContactsReplySavedItem> saved,
            List<SaveContactsReplyRejectedItem> rejected) {}

    /**
     * @param index Position in the request, from 0.
     * @param id Id, as a decimal string.
     */
    public record SaveContactsReplySavedItem(
            long index,
            String id) {}

    /**
     * @param field May be null.
     * @param index Position in the request, from 0.
     */
    public record SaveContactsReplyRejectedItem(
            String code,
            String field,
            String detail,
            long index) {}

    /**
     * @param id Id, as a decimal string.
     */
    public record DeleteContactReply(
            String id) {}

    public record ListContactFieldsReply(
            List<ListContactFieldsItem> data) {}

    /**
     * @param id Id of the field in rules of segments.
     * @param key Name of the field in {@code fields} of a contact.
     * @param type One of {@code text}, {@code number}, {@code date}, {@code choice}, {@code yes_no}.
     * @param choices Values that a field of the type {@code choice} may have.
     */
    public record ListContactFieldsItem(
            String id,
            String key,
            String name,
            String type,
            List<String> choices) {
        public static final String TYPE_TEXT = "text";
        public static final String TYPE_NUMBER = "number";
        public static final String TYPE_DATE = "date";
        public static final String TYPE_CHOICE = "choice";
        public static final String TYPE_YES_NO = "yes_no";
    }

    /** Part of a request. */
    public static final class AddConversionRequest extends Fields<AddConversionRequest> {
        /** Required. Your own reference, such as an order number. Each is counted once. Only its hash is stored. */
        public AddConversionRequest reference(String value) {
            return set("reference", value);
        }

        /** Required. Event, such as {@code purchase}: letters, digits, {@code _}, {@code .} and {@code -}, at most 40. */
        public AddConversionRequest name(String value) {
            return set("name", value);
        }

        /** Number of the person in international form. */
        public AddConversionRequest number(String value) {
            return set("number", value);
        }

        /** Code of the short link, as in {@code link.clicked}. */
        public AddConversionRequest code(String value) {
            return set("code", value);
        }

        /** What it was worth: a decimal string. With {@code currency}. Default: {@code null}. */
        public AddConversionRequest value(String value) {
            return setOrNull("value", value);
        }

        /** Default: {@code null}. */
        public AddConversionRequest currency(String value) {
            return setOrNull("currency", value);
        }

        /** Time of the event; not in the future. Now by default. */
        public AddConversionRequest at(String value) {
            return set("at", value);
        }
    }

    /**
     * @param id Id, as a decimal string.
     * @param value Decimal string with three decimals. May be null.
     * @param currency May be null.
     */
    public record AddConversionReply(
            String id,
            String name,
            String value,
            String currency,
            String at,
            String createdAt) {}

    /**
     * @param id Id, as a decimal string.
     * @param rule Rule, as it is written in requests.
     * @param explanation Rule as a sentence, in the language of the maker of the key.
     * @param lacks Records that the rule needs and that are gone or not visible. The segment finds nobody then.
     */
    public record GetSegmentReply(
            String id,
            String name,
            Map<String, Object> rule,
            String explanation,
            List<ListSegmentsItemLacksItem> lacks,
            String createdAt,
            String updatedAt) {}

    /**
     * @param kind One of {@code field}, {@code list}, {@code campaign}, {@code number}.
     */
    public record ListSegmentsItemLacksItem(
            String kind,
            long id) {
        public static final String KIND_FIELD = "field";
        public static final String KIND_LIST = "list";
        public static final String KIND_CAMPAIGN = "campaign";
        public static final String KIND_NUMBER = "number";
    }

    /** Part of a request. */
    public static final class CreateSegmentRequest extends Fields<CreateSegmentRequest> {
        /** Required. */
        public CreateSegmentRequest name(String value) {
            return set("name", value);
        }

        /** Required. Tree of groups and conditions. Fields, number lists and campaigns are named by their ids. {@code not} turns a condition around: it then finds contacts without a value too. */
        public CreateSegmentRequest rule(CreateSegmentRequestRule value) {
            return set("rule", value);
        }
    }

    /** Part of a request. */
    public static final class CreateSegmentRequestRule extends Fields<CreateSegmentRequestRule> {
        public static final String MATCH_ALL = "all";
        public static final String MATCH_ANY = "any";
        public static final String MATCH_NONE = "none";

        /** Default: {@code 1}. */
        public CreateSegmentRequestRule version(long value) {
            return set("version", value);
        }

        /** Required. One of {@code all}, {@code any}, {@code none}. */
        public CreateSegmentRequestRule match(String value) {
            return set("match", value);
        }

        /** Required. */
        public CreateSegmentRequestRule rules(List<Object> value) {
            return set("rules", value);
        }
    }

    /** Part of a request. */
    public static final class ChangeSegmentRequest extends Fields<ChangeSegmentRequest> {
        public ChangeSegmentRequest name(String value) {
            return set("name", value);
        }

        /** Tree of groups and conditions. Fields, number lists and campaigns are named by their ids. {@code not} turns a condition around: it then finds contacts without a value too. */
        public ChangeSegmentRequest rule(CreateSegmentRequestRule value) {
            return set("rule", value);
        }
    }

    public record CountSegmentContactsReply(
            long contacts) {}

    /**
     * @param id Id, as a decimal string.
     * @param state People enter and go on only while it is {@code running}. One of {@code draft}, {@code running}, {@code paused}, {@code stopped}.
     * @param version Number of the version that people enter; null for none.
     * @param trigger Cause for which people enter, as a sentence in the language of the maker of the key.
     * @param entered People who ever entered.
     * @param spent Cost of the messages so far.
     * @param budget Most that the messages may cost; null for no budget.
     */
    public record GetJourneyReply(
            String id,
            String name,
            String state,
            Long version,
            String trigger,
            long entered,
            String spent,
            String budget,
            String currency,
            String createdAt,
            String updatedAt) {
        public static final String STATE_DRAFT = "draft";
        public static final String STATE_RUNNING = "running";
        public static final String STATE_PAUSED = "paused";
        public static final String STATE_STOPPED = "stopped";
    }

    public record EnterJourneyReply(
            boolean entered) {}

    /** Part of a request. */
    public static final class MoveEventGroupRequest extends Fields<MoveEventGroupRequest> {
        /** Required. {@code next_cursor} of a page, or {@code id} of an event of the stream. */
        public MoveEventGroupRequest cursor(String value) {
            return set("cursor", value);
        }

        /** Part of the events that the program reads. Default: {@code "1/1"}. */
        public MoveEventGroupRequest share(String value) {
            return set("share", value);
        }
    }

    public record MoveEventGroupReply(
            String group,
            String share,
            String cursor,
            String storedAt) {}

    public record SampleEventsReply(
            List<Event> data) {}

    public record ListCallbacksReply(
            List<ListCallbacksItem> data) {}

    /**
     * @param id Id, as a decimal string.
     * @param types One of {@code message.delivered}, {@code message.failed}, {@code message.expired}, {@code message.corrected}, {@code message.received}, {@code campaign.finished}, {@code link.clicked}, {@code journey.step}, {@code verification.approved}, {@code verification.failed}, {@code verification.expired}, {@code balance.low}, {@code payment.received}, {@code invoice.issued}.
     * @param description May be null.
     * @param status {@code failing}: the last calls did not arrive, and are tried again. {@code paused}: nothing arrived for three days, or the address answered 410. One of {@code active}, {@code failing}, {@code paused}, {@code disabled}.
     */
    public record ListCallbacksItem(
            String id,
            String url,
            List<String> types,
            String description,
            String status,
            String createdAt) {
        public static final String TYPES_MESSAGE_DELIVERED = "message.delivered";
        public static final String TYPES_MESSAGE_FAILED = "message.failed";
        public static final String TYPES_MESSAGE_EXPIRED = "message.expired";
        public static final String TYPES_MESSAGE_CORRECTED = "message.corrected";
        public static final String TYPES_MESSAGE_RECEIVED = "message.received";
        public static final String TYPES_CAMPAIGN_FINISHED = "campaign.finished";
        public static final String TYPES_LINK_CLICKED = "link.clicked";
        public static final String TYPES_JOURNEY_STEP = "journey.step";
        public static final String TYPES_VERIFICATION_APPROVED = "verification.approved";
        public static final String TYPES_VERIFICATION_FAILED = "verification.failed";
        public static final String TYPES_VERIFICATION_EXPIRED = "verification.expired";
        public static final String TYPES_BALANCE_LOW = "balance.low";
        public static final String TYPES_PAYMENT_RECEIVED = "payment.received";
        public static final String TYPES_INVOICE_ISSUED = "invoice.issued";
        public static final String STATUS_ACTIVE = "active";
        public static final String STATUS_FAILING = "failing";
        public static final String STATUS_PAUSED = "paused";
        public static final String STATUS_DISABLED = "disabled";
    }

    /** Part of a request. */
    public static final class AddCallbackRequest extends Fields<AddCallbackRequest> {
        public static final String TYPES_MESSAGE_DELIVERED = "message.delivered";
        public static final String TYPES_MESSAGE_FAILED = "message.failed";
        public static final String TYPES_MESSAGE_EXPIRED = "message.expired";
        public static final String TYPES_MESSAGE_CORRECTED = "message.corrected";
        public static final String TYPES_MESSAGE_RECEIVED = "message.received";
        public static final String TYPES_CAMPAIGN_FINISHED = "campaign.finished";
        public static final String TYPES_LINK_CLICKED = "link.clicked";
        public static final String TYPES_JOURNEY_STEP = "journey.step";
        public static final String TYPES_VERIFICATION_APPROVED = "verification.approved";
        public static final String TYPES_VERIFICATION_FAILED = "verification.failed";
        public static final String TYPES_VERIFICATION_EXPIRED = "verification.expired";
        public static final String TYPES_BALANCE_LOW = "balance.low";
        public static final String TYPES_PAYMENT_RECEIVED = "payment.received";
        public static final String TYPES_INVOICE_ISSUED = "invoice.issued";

        /** Required. Public https address. */
        public AddCallbackRequest url(String value) {
            return set("url", value);
        }

        /** Required. Types of events to send. One of {@code message.delivered}, {@code message.failed}, {@code message.expired}, {@code message.corrected}, {@code message.received}, {@code campaign.finished}, {@code link.clicked}, {@code journey.step}, {@code verification.approved}, {@code verification.failed}, {@code verification.expired}, {@code balance.low}, {@code payment.received}, {@code invoice.issued}. */
        public AddCallbackRequest types(List<String> value) {
            return set("types", value);
        }

        /** Required. Types of events to send. One of {@code message.delivered}, {@code message.failed}, {@code message.expired}, {@code message.corrected}, {@code message.received}, {@code campaign.finished}, {@code link.clicked}, {@code journey.step}, {@code verification.approved}, {@code verification.failed}, {@code verification.expired}, {@code balance.low}, {@code payment.received}, {@code invoice.issued}. */
        public AddCallbackRequest types(String... value) {
            return set("types", List.of(value));
        }

        /** What receives the events, for people in the console. */
        public AddCallbackRequest description(String value) {
            return set("description", value);
        }
    }

    /**
     * @param id Id, as a decimal string.
     * @param types One of {@code message.delivered}, {@code message.failed}, {@code message.expired}, {@code message.corrected}, {@code message.received}, {@code campaign.finished}, {@code link.clicked}, {@code journey.step}, {@code verification.approved}, {@code verification.failed}, {@code verification.expired}, {@code balance.low}, {@code payment.received}, {@code invoice.issued}.
     * @param description May be null.
     * @param status {@code failing}: the last calls did not arrive, and are tried again. {@code paused}: nothing arrived for three days, or the address answered 410. One of {@code active}, {@code failing}, {@code paused}, {@code disabled}.
     * @param secret Secret that signs the calls, by Standard Webhooks.
     */
    public record AddCallbackReply(
            String id,
            String url,
            List<String> types,
            String description,
            String status,
            String createdAt,
            String secret) {
        public static final String TYPES_MESSAGE_DELIVERED = "message.delivered";
        public static final String TYPES_MESSAGE_FAILED = "message.failed";
        public static final String TYPES_MESSAGE_EXPIRED = "message.expired";
        public static final String TYPES_MESSAGE_CORRECTED = "message.corrected";
        public static final String TYPES_MESSAGE_RECEIVED = "message.received";
        public static final String TYPES_CAMPAIGN_FINISHED = "campaign.finished";
        public static final String TYPES_LINK_CLICKED = "link.clicked";
        public static final String TYPES_JOURNEY_STEP = "journey.step";
        public static final String TYPES_VERIFICATION_APPROVED = "verification.approved";
        public static final String TYPES_VERIFICATION_FAILED = "verification.failed";
        public static final String TYPES_VERIFICATION_EXPIRED = "verification.expired";
        public static final String TYPES_BALANCE_LOW = "balance.low";
        public static final String TYPES_PAYMENT_RECEIVED = "payment.received";
        public static final String TYPES_INVOICE_ISSUED = "invoice.issued";
        public static final String STATUS_ACTIVE = "active";
        public static final String STATUS_FAILING = "failing";
        public static final String STATUS_PAUSED = "paused";
        public static final String STATUS_DISABLED = "disabled";
    }

    public record ListHandsetsReply(
            List<ListHandsetsItem> data) {}

    /**
     * @param number Number of the handset. Masked, such as {@code 63917•••••67}, if the key may not see numbers.
     * @param messages Messages that it received.
     */
    public record ListHandsetsItem(
            String number,
            long messages,
            String lastAt) {}

    public record ListHandsetMessagesReply(
            List<ListHandsetMessagesItem> data) {}

    /**
     * @param direction As the phone sees it. One of {@code received}, {@code sent}.
     * @param id Id of the message, or of the message from the phone.
     * @param with Sender ID or number on the other side.
     * @param text Empty if the key may not see texts.
     * @param parts Parts that have arrived.
     * @param state State of the message; null for an answer of the phone. One of {@code pending}, {@code submitted}, {@code delivered}, {@code expired}, {@code cancelled}, {@code failed_internal}, {@code failed_billing}, {@code failed_submit}, {@code failed_other}, {@code blocked}, {@code scheduled}.
     */
    public record ListHandsetMessagesItem(
            String direction,
            String id,
            String with,
            String text,
            long parts,
            String state,
            String at) {
        public static final String DIRECTION_RECEIVED = "received";
        public static final String DIRECTION_SENT = "sent";
        public static final String STATE_PENDING = "pending";
        public static final String STATE_SUBMITTED = "submitted";
        public static final String STATE_DELIVERED = "delivered";
        public static final String STATE_EXPIRED = "expired";
        public static final String STATE_CANCELLED = "cancelled";
        public static final String STATE_FAILED_INTERNAL = "failed_internal";
        public static final String STATE_FAILED_BILLING = "failed_billing";
        public static final String STATE_FAILED_SUBMIT = "failed_submit";
        public static final String STATE_FAILED_OTHER = "failed_other";
        public static final String STATE_BLOCKED = "blocked";
        public static final String STATE_SCHEDULED = "scheduled";
    }

    /** Part of a request. */
    public static final class ReplyFromHandsetRequest extends Fields<ReplyFromHandsetRequest> {
        /** Required. Number of a handset that has received a message. */
        public ReplyFromHandsetRequest from(String value) {
            return set("from", value);
        }

        /** Required. */
        public ReplyFromHandsetRequest text(String value) {
            return set("text", value);
        }
    }

    /**
     * @param id Id, as a decimal string.
     * @param from Number of the handset. Masked, such as {@code 63917•••••67}, if the key may not see numbers.
     * @param to Sender ID of the last message that the handset received.
     */
    public record ReplyFromHandsetReply(
            String id,
            String from,
            String to,
            String receivedAt) {}

    /** Part of a request. */
    public static final class MoveSandboxTimeRequest extends Fields<MoveSandboxTimeRequest> {
        /** Required. */
        public MoveSandboxTimeRequest seconds(long value) {
            return set("seconds", value);
        }
    }

    /**
     * @param receipts Receipts and answers of handsets that waited.
     * @param messages Messages that waited.
     * @param verifications Verifications that waited.
     */
    public record MoveSandboxTimeReply(
            long seconds,
            long receipts,
            long messages,
            long verifications) {}

    /**
     * @param id Id, as a decimal string.
     * @param state One of {@code pending}, {@code submitted}, {@code delivered}, {@code expired}, {@code cancelled}, {@code failed_internal}, {@code failed_billing}, {@code failed_submit}, {@code failed_other}, {@code blocked}.
     * @param errorCode Error code of the carrier, or {@code moderation} if the platform rejected the message. May be null.
     * @param from May be null.
     * @param to May be null.
     * @param parts May be null.
     * @param price May be null.
     * @param currency May be null.
     * @param clientRef May be null.
     * @param batchId May be null.
     * @param campaignId Campaign of a message that was sent in the console. May be null.
     * @param createdAt May be null.
     * @param parameters Parameters of the carrier’s receipt, by the names that the operator gave them.
     * @param doneAt Time of the final state.
     */
    public record MessageDeliveredCallbackData(
            String id,
            String state,
            String errorCode,
            String from,
            String to,
            Long parts,
            String price,
            String currency,
            String clientRef,
            List<String> tags,
            String batchId,
            String campaignId,
            String createdAt,
            Map<String, String> parameters,
            String doneAt) {
        public static final String STATE_PENDING = "pending";
        public static final String STATE_SUBMITTED = "submitted";
        public static final String STATE_DELIVERED = "delivered";
        public static final String STATE_EXPIRED = "expired";
        public static final String STATE_CANCELLED = "cancelled";
        public static final String STATE_FAILED_INTERNAL = "failed_internal";
        public static final String STATE_FAILED_BILLING = "failed_billing";
        public static final String STATE_FAILED_SUBMIT = "failed_submit";
        public static final String STATE_FAILED_OTHER = "failed_other";
        public static final String STATE_BLOCKED = "blocked";
    }

    /**
     * @param id Id, as a decimal string.
     * @param state One of {@code pending}, {@code submitted}, {@code delivered}, {@code expired}, {@code cancelled}, {@code failed_internal}, {@code failed_billing}, {@code failed_submit}, {@code failed_other}, {@code blocked}.
     * @param errorCode Error code of the carrier, or {@code moderation} if the platform rejected the message. May be null.
     * @param from May be null.
     * @param to May be null.
     * @param parts May be null.
     * @param price May be null.
     * @param currency May be null.
     * @param clientRef May be null.
     * @param batchId May be null.
     * @param campaignId Campaign of a message that was sent in the console. May be null.
     * @param createdAt May be null.
     * @param parameters Parameters of the carrier’s receipt, by the names that the operator gave them.
     * @param doneAt Time of the final state.
     */
    public record MessageFailedCallbackData(
            String id,
            String state,
            String errorCode,
            String from,
            String to,
            Long parts,
            String price,
            String currency,
            String clientRef,
            List<String> tags,
            String batchId,
            String campaignId,
            String createdAt,
            Map<String, String> parameters,
            String doneAt) {
        public static final String STATE_PENDING = "pending";
        public static final String STATE_SUBMITTED = "submitted";
        public static final String STATE_DELIVERED = "delivered";
        public static final String STATE_EXPIRED = "expired";
        public static final String STATE_CANCELLED = "cancelled";
        public static final String STATE_FAILED_INTERNAL = "failed_internal";
        public static final String STATE_FAILED_BILLING = "failed_billing";
        public static final String STATE_FAILED_SUBMIT = "failed_submit";
        public static final String STATE_FAILED_OTHER = "failed_other";
        public static final String STATE_BLOCKED = "blocked";
    }

    /**
     * @param id Id, as a decimal string.
     * @param state One of {@code pending}, {@code submitted}, {@code delivered}, {@code expired}, {@code cancelled}, {@code failed_internal}, {@code failed_billing}, {@code failed_submit}, {@code failed_other}, {@code blocked}.
     * @param errorCode Error code of the carrier, or {@code moderation} if the platform rejected the message. May be null.
     * @param from May be null.
     * @param to May be null.
     * @param parts May be null.
     * @param price May be null.
     * @param currency May be null.
     * @param clientRef May be null.
     * @param batchId May be null.
     * @param campaignId Campaign of a message that was sent in the console. May be null.
     * @param createdAt May be null.
     * @param parameters Parameters of the carrier’s receipt, by the names that the operator gave them.
     * @param doneAt Time of the final state.
     */
    public record MessageExpiredCallbackData(
            String id,
            String state,
            String errorCode,
            String from,
            String to,
            Long parts,
            String price,
            String currency,
            String clientRef,
            List<String> tags,
            String batchId,
            String campaignId,
            String createdAt,
            Map<String, String> parameters,
            String doneAt) {
        public static final String STATE_PENDING = "pending";
        public static final String STATE_SUBMITTED = "submitted";
        public static final String STATE_DELIVERED = "delivered";
        public static final String STATE_EXPIRED = "expired";
        public static final String STATE_CANCELLED = "cancelled";
        public static final String STATE_FAILED_INTERNAL = "failed_internal";
        public static final String STATE_FAILED_BILLING = "failed_billing";
        public static final String STATE_FAILED_SUBMIT = "failed_submit";
        public static final String STATE_FAILED_OTHER = "failed_other";
        public static final String STATE_BLOCKED = "blocked";
    }

    /**
     * @param id Id, as a decimal string.
     * @param state State that the carrier now reports. The state of the message itself does not change. One of {@code pending}, {@code submitted}, {@code delivered}, {@code expired}, {@code cancelled}, {@code failed_internal}, {@code failed_billing}, {@code failed_submit}, {@code failed_other}, {@code blocked}.
     * @param errorCode Error code of the carrier, or {@code moderation} if the platform rejected the message. May be null.
     * @param from May be null.
     * @param to May be null.
     * @param parts May be null.
     * @param price May be null.
     * @param currency May be null.
     * @param clientRef May be null.
     * @param batchId May be null.
     * @param campaignId Campaign of a message that was sent in the console. May be null.
     * @param createdAt May be null.
     * @param parameters Parameters of the carrier’s receipt, by the names that the operator gave them.
     * @param doneAt Time of the report by the carrier.
     */
    public record MessageCorrectedCallbackData(
            String id,
            String state,
            String errorCode,
            String from,
            String to,
            Long parts,
            String price,
            String currency,
            String clientRef,
            List<String> tags,
            String batchId,
            String campaignId,
            String createdAt,
            Map<String, String> parameters,
            String doneAt) {
        public static final String STATE_PENDING = "pending";
        public static final String STATE_SUBMITTED = "submitted";
        public static final String STATE_DELIVERED = "delivered";
        public static final String STATE_EXPIRED = "expired";
        public static final String STATE_CANCELLED = "cancelled";
        public static final String STATE_FAILED_INTERNAL = "failed_internal";
        public static final String STATE_FAILED_BILLING = "failed_billing";
        public static final String STATE_FAILED_SUBMIT = "failed_submit";
        public static final String STATE_FAILED_OTHER = "failed_other";
        public static final String STATE_BLOCKED = "blocked";
    }

    /**
     * @param id Id, as a decimal string.
     * @param from Number of the phone. May be null.
     * @param to Short code, number or sender ID that the phone sent to. May be null.
     * @param text May be null.
     * @param keyword May be null.
     * @param binary The text is hexadecimal.
     * @param parameters Parameters that the carrier added, by name, or by tag such as {@code 0x1401} and in hexadecimal.
     * @param receivedAt May be null.
     */
    public record MessageReceivedCallbackData(
            String id,
            String from,
            String to,
            String text,
            String keyword,
            boolean binary,
            Map<String, String> parameters,
            String receivedAt) {}

    /**
     * @param id Id, as a decimal string.
     * @param name May be null.
     * @param state One of {@code completed}, {@code stopped}, {@code failed}.
     * @param messages May be null.
     * @param blocked Messages that were never handed to a carrier. They are not counted as failed.
     * @param charged Decimal string with three decimals.
     * @param currency May be null.
     */
    public record CampaignFinishedCallbackData(
            String id,
            String name,
            String state,
            Long messages,
            long submitted,
            long delivered,
            long failed,
            long expired,
            long blocked,
            long cancelled,
            String charged,
            String currency) {
        public static final String STATE_COMPLETED = "completed";
        public static final String STATE_STOPPED = "stopped";
        public static final String STATE_FAILED = "failed";
    }

    /**
     * @param campaignId Id, as a decimal string.
     * @param campaign Name of the campaign. May be null.
     * @param link Place of the link in the text, from 1. May be null.
     * @param url Address that the link leads to. May be null.
     * @param code Code of the short link. It is the same in the text of the message and in conversions.
     * @param to Number of the recipient; null if the corporation does not name who clicks, or the number was removed.
     * @param clickedAt Time of the first click. May be null.
     */
    public record LinkClickedCallbackData(
            String campaignId,
            String campaign,
            Long link,
            String url,
            String code,
            String to,
            String clickedAt) {}

    /**
     * @param journeyId Id, as a decimal string.
     * @param journey Name of the journey. May be null.
     * @param step Id of the step.
     * @param name Name that the step has for programs.
     * @param to Number of the person; null if the contact was deleted.
     * @param contact Contact of the person; null if it was deleted. In the feed also null without the scope {@code contacts:read}.
     */
    public record JourneyStepCallbackData(
            String journeyId,
            String journey,
            long step,
            String name,
            String to,
            JourneyStepCallbackDataContact contact) {}

    /**
     * @param id Id, as a decimal string.
     * @param name May be null.
     * @param fields Values by the keys of the fields, as they are now.
     */
    public record JourneyStepCallbackDataContact(
            String id,
            String name,
            Map<String, Object> fields) {}

    /**
     * @param id Id, as a decimal string.
     * @param service May be null.
     * @param to May be null.
     * @param status One of {@code approved}, {@code failed}, {@code expired}.
     * @param language One of {@code en}, {@code cn}, {@code zh}, {@code fp}. May be null.
     * @param parts May be null.
     * @param price May be null.
     * @param currency May be null.
     * @param clientRef May be null.
     * @param createdAt May be null.
     * @param doneAt May be null.
     */
    public record VerificationApprovedCallbackData(
            String id,
            String service,
            String to,
            String status,
            String language,
            Long parts,
            String price,
            String currency,
            String clientRef,
            String createdAt,
            String doneAt,
            boolean test) {
        public static final String STATUS_APPROVED = "approved";
        public static final String STATUS_FAILED = "failed";
        public static final String STATUS_EXPIRED = "expired";
        public static final String LANGUAGE_EN = "en";
        public static final String LANGUAGE_CN = "cn";
        public static final String LANGUAGE_ZH = "zh";
        public static final String LANGUAGE_FP = "fp";
    }

    /**
     * @param id Id, as a decimal string.
     * @param service May be null.
     * @param to May be null.
     * @param status One of {@code approved}, {@code failed}, {@code expired}.
     * @param language One of {@code en}, {@code cn}, {@code zh}, {@code fp}. May be null.
     * @param parts May be null.
     * @param price May be null.
     * @param currency May be null.
     * @param clientRef May be null.
     * @param createdAt May be null.
     * @param doneAt May be null.
     */
    public record VerificationFailedCallbackData(
            String id,
            String service,
            String to,
            String status,
            String language,
            Long parts,
            String price,
            String currency,
            String clientRef,
            String createdAt,
            String doneAt,
            boolean test) {
        public static final String STATUS_APPROVED = "approved";
        public static final String STATUS_FAILED = "failed";
        public static final String STATUS_EXPIRED = "expired";
        public static final String LANGUAGE_EN = "en";
        public static final String LANGUAGE_CN = "cn";
        public static final String LANGUAGE_ZH = "zh";
        public static final String LANGUAGE_FP = "fp";
    }

    /**
     * @param id Id, as a decimal string.
     * @param service May be null.
     * @param to May be null.
     * @param status One of {@code approved}, {@code failed}, {@code expired}.
     * @param language One of {@code en}, {@code cn}, {@code zh}, {@code fp}. May be null.
     * @param parts May be null.
     * @param price May be null.
     * @param currency May be null.
     * @param clientRef May be null.
     * @param createdAt May be null.
     * @param doneAt May be null.
     */
    public record VerificationExpiredCallbackData(
            String id,
            String service,
            String to,
            String status,
            String language,
            Long parts,
            String price,
            String currency,
            String clientRef,
            String createdAt,
            String doneAt,
            boolean test) {
        public static final String STATUS_APPROVED = "approved";
        public static final String STATUS_FAILED = "failed";
        public static final String STATUS_EXPIRED = "expired";
        public static final String LANGUAGE_EN = "en";
        public static final String LANGUAGE_CN = "cn";
        public static final String LANGUAGE_ZH = "zh";
        public static final String LANGUAGE_FP = "fp";
    }

    /**
     * @param billingAccountId Id, as a decimal string.
     * @param name May be null.
     * @param limit Limit of the account that was passed. One of {@code low_balance}, {@code cost_warning}.
     * @param balance Decimal string with three decimals.
     * @param currency May be null.
     */
    public record BalanceLowCallbackData(
            String billingAccountId,
            String name,
            String limit,
            String balance,
            String currency) {
        public static final String LIMIT_LOW_BALANCE = "low_balance";
        public static final String LIMIT_COST_WARNING = "cost_warning";
    }

    /**
     * @param id Top-up; null for a payment that a person entered.
     * @param billingAccountId May be null.
     * @param amount What the account got. May be null.
     * @param total What was paid, with the fee. May be null.
     * @param currency May be null.
     * @param method Name of the payment method. May be null.
     * @param reference May be null.
     * @param clientReference May be null.
     * @param paidAt May be null.
     */
    public record PaymentReceivedCallbackData(
            String id,
            String billingAccountId,
            String amount,
            String total,
            String currency,
            String method,
            String reference,
            String clientReference,
            String paidAt) {}

    /**
     * @param id Id, as a decimal string.
     * @param kind One of {@code invoice}, {@code credit_note}, {@code receipt}. May be null.
     * @param number May be null.
     * @param issueDate May be null.
     * @param dueDate May be null.
     * @param total May be null.
     * @param currency May be null.
     * @param billingAccountId May be null.
     * @param creditedInvoiceId Invoice that a credit note is about. May be null.
     */
    public record InvoiceIssuedCallbackData(
            String id,
            String kind,
            String number,
            String issueDate,
            String dueDate,
            String total,
            String currency,
            String billingAccountId,
            String creditedInvoiceId) {
        public static final String KIND_INVOICE = "invoice";
        public static final String KIND_CREDIT_NOTE = "credit_note";
        public static final String KIND_RECEIPT = "receipt";
    }

    /** Limits of {@code listMessages}. */
    public static final class ListMessagesQuery extends PagedQuery<ListMessagesQuery> {
        /** Your own reference, returned in answers and callbacks. */
        public ListMessagesQuery clientRef(String value) {
            return set("client_ref", value);
        }

        /** Id, as a decimal string. */
        public ListMessagesQuery batchId(String value) {
            return set("batch_id", value);
        }

        public ListMessagesQuery limit(long value) {
            return set("limit", value);
        }

        /** {@code next_cursor} of the previous page. */
        @Override
        public ListMessagesQuery cursor(String value) {
            return set("cursor", value);
        }
    }

    /** Limits of {@code listInvoices}. */
    public static final class ListInvoicesQuery extends PagedQuery<ListInvoicesQuery> {
        public static final String KIND_INVOICE = "invoice";
        public static final String KIND_CREDIT_NOTE = "credit_note";
        public static final String KIND_RECEIPT = "receipt";
        public static final String STATUS_OPEN = "open";
        public static final String STATUS_PART_PAID = "part_paid";
        public static final String STATUS_OVERDUE = "overdue";
        public static final String STATUS_PAID = "paid";
        public static final String STATUS_CREDITED = "credited";
        public static final String STATUS_ISSUED = "issued";

        public ListInvoicesQuery limit(long value) {
            return set("limit", value);
        }

        /** {@code next_cursor} of the previous page. */
        @Override
        public ListInvoicesQuery cursor(String value) {
            return set("cursor", value);
        }

        /** One of {@code invoice}, {@code credit_note}, {@code receipt}. */
        public ListInvoicesQuery kind(String value) {
            return set("kind", value);
        }

        /** One of {@code open}, {@code part_paid}, {@code overdue}, {@code paid}, {@code credited}, {@code issued}. */
        public ListInvoicesQuery status(String value) {
            return set("status", value);
        }

        /** First day of issue. */
        public ListInvoicesQuery from(String value) {
            return set("from", value);
        }

        /** Last day of issue. */
        public ListInvoicesQuery to(String value) {
            return set("to", value);
        }
    }

    /** Limits of {@code listTopUps}. */
    public static final class ListTopUpsQuery extends PagedQuery<ListTopUpsQuery> {
        public static final String STATE_CREATED = "created";
        public static final String STATE_AWAITING_PAYMENT = "awaiting_payment";
        public static final String STATE_IN_REVIEW = "in_review";
        public static final String STATE_PAID = "paid";
        public static final String STATE_PARTLY_REFUNDED = "partly_refunded";
        public static final String STATE_REFUNDED = "refunded";
        public static final String STATE_CHARGED_BACK = "charged_back";
        public static final String STATE_FAILED = "failed";
        public static final String STATE_EXPIRED = "expired";
        public static final String STATE_REJECTED = "rejected";

        public ListTopUpsQuery limit(long value) {
            return set("limit", value);
        }

        /** {@code next_cursor} of the previous page. */
        @Override
        public ListTopUpsQuery cursor(String value) {
            return set("cursor", value);
        }

        /** One of {@code created}, {@code awaiting_payment}, {@code in_review}, {@code paid}, {@code partly_refunded}, {@code refunded}, {@code charged_back}, {@code failed}, {@code expired}, {@code rejected}. */
        public ListTopUpsQuery state(String value) {
            return set("state", value);
        }

        public ListTopUpsQuery billingAccountId(long value) {
            return set("billing_account_id", value);
        }

        /** First day on which they began. */
        public ListTopUpsQuery from(String value) {
            return set("from", value);
        }

        /** Last day on which they began. */
        public ListTopUpsQuery to(String value) {
            return set("to", value);
        }
    }

    /** Limits of {@code listInbound}. */
    public static final class ListInboundQuery extends PagedQuery<ListInboundQuery> {
        public ListInboundQuery limit(long value) {
            return set("limit", value);
        }

        /** {@code next_cursor} of the previous page. */
        @Override
        public ListInboundQuery cursor(String value) {
            return set("cursor", value);
        }
    }

    /** Limits of {@code listConversations}. */
    public static final class ListConversationsQuery extends PagedQuery<ListConversationsQuery> {
        public static final String STATE_OPEN = "open";
        public static final String STATE_CLOSED = "closed";

        public ListConversationsQuery limit(long value) {
            return set("limit", value);
        }

        /** {@code next_cursor} of the previous page. */
        @Override
        public ListConversationsQuery cursor(String value) {
            return set("cursor", value);
        }

        /** One of {@code open}, {@code closed}. */
        public ListConversationsQuery state(String value) {
            return set("state", value);
        }

        /** Number of a phone, in international form. */
        public ListConversationsQuery number(String value) {
            return set("number", value);
        }
    }

    /** Limits of {@code listConversationMessages}. */
    public static final class ListConversationMessagesQuery extends PagedQuery<ListConversationMessagesQuery> {
        public ListConversationMessagesQuery limit(long value) {
            return set("limit", value);
        }

        /** {@code next_cursor} of the previous page. */
        @Override
        public ListConversationMessagesQuery cursor(String value) {
            return set("cursor", value);
        }
    }

    /** Limits of {@code listConsents}. */
    public static final class ListConsentsQuery extends Fields<ListConsentsQuery> {
        /** Required. Number in international form. */
        public ListConsentsQuery number(String value) {
            return set("number", value);
        }
    }

    /** Limits of {@code listContacts}. */
    public static final class ListContactsQuery extends PagedQuery<ListContactsQuery> {
        /** Number in international form. */
        public ListContactsQuery number(String value) {
            return set("number", value);
        }

        /** Tag, exactly as written. */
        public ListContactsQuery tag(String value) {
            return set("tag", value);
        }

        public ListContactsQuery limit(long value) {
            return set("limit", value);
        }

        /** {@code next_cursor} of the page before. */
        @Override
        public ListContactsQuery cursor(String value) {
            return set("cursor", value);
        }
    }

    /** Limits of {@code listSegments}. */
    public static final class ListSegmentsQuery extends PagedQuery<ListSegmentsQuery> {
        public ListSegmentsQuery limit(long value) {
            return set("limit", value);
        }

        /** {@code next_cursor} of the page before. */
        @Override
        public ListSegmentsQuery cursor(String value) {
            return set("cursor", value);
        }
    }

    /** Limits of {@code listJourneys}. */
    public static final class ListJourneysQuery extends PagedQuery<ListJourneysQuery> {
        public ListJourneysQuery limit(long value) {
            return set("limit", value);
        }

        /** {@code next_cursor} of the page before. */
        @Override
        public ListJourneysQuery cursor(String value) {
            return set("cursor", value);
        }
    }

    /** Limits of {@code listEvents}. */
    public static final class ListEventsQuery extends PagedQuery<ListEventsQuery> {
        public ListEventsQuery limit(long value) {
            return set("limit", value);
        }

        /** {@code next_cursor} of the previous page. {@code now}: only new events. Without it: from the oldest. */
        @Override
        public ListEventsQuery cursor(String value) {
            return set("cursor", value);
        }

        /** Types, separated by commas. Without it: all. */
        public ListEventsQuery types(String value) {
            return set("types", value);
        }

        /** Begin with the events of this time, up to 7 days ago. {@code cursor}, if given, decides instead. */
        public ListEventsQuery since(String value) {
            return set("since", value);
        }

        /** One part of the events, for up to 64 programs that work side by side: {@code 2/4} is the second of four. All events of one message are in the same part. */
        public ListEventsQuery share(String value) {
            return set("share", value);
        }

        /** Begin after the place that the platform stores for this group, if it stores one. {@code cursor} and {@code since} decide instead, if given. */
        public ListEventsQuery group(String value) {
            return set("group", value);
        }
    }

    /** Limits of {@code streamEvents}. */
    public static final class StreamEventsQuery extends Fields<StreamEventsQuery> {
        /** {@code id} of the last event that you have. {@code now}: only new events. Without it: from the oldest. */
        public StreamEventsQuery cursor(String value) {
            return set("cursor", value);
        }

        /** Types, separated by commas. Without it: all. */
        public StreamEventsQuery types(String value) {
            return set("types", value);
        }

        /** Begin with the events of this time, up to 7 days ago. {@code cursor}, if given, decides instead. */
        public StreamEventsQuery since(String value) {
            return set("since", value);
        }

        /** One part of the events, for up to 64 programs that work side by side: {@code 2/4} is the second of four. All events of one message are in the same part. */
        public StreamEventsQuery share(String value) {
            return set("share", value);
        }

        /** Begin after the place that the platform stores for this group, if it stores one. {@code cursor} and {@code since} decide instead, if given. */
        public StreamEventsQuery group(String value) {
            return set("group", value);
        }
    }

    /** Limits of {@code sampleEvents}. */
    public static final class SampleEventsQuery extends Fields<SampleEventsQuery> {
        public static final String TYPE_MESSAGE_DELIVERED = "message.delivered";
        public static final String TYPE_MESSAGE_FAILED = "message.failed";
        public static final String TYPE_MESSAGE_EXPIRED = "message.expired";
        public static final String TYPE_MESSAGE_CORRECTED = "message.corrected";
        public static final String TYPE_MESSAGE_RECEIVED = "message.received";
        public static final String TYPE_CAMPAIGN_FINISHED = "campaign.finished";
        public static final String TYPE_LINK_CLICKED = "link.clicked";
        public static final String TYPE_JOURNEY_STEP = "journey.step";
        public static final String TYPE_VERIFICATION_APPROVED = "verification.approved";
        public static final String TYPE_VERIFICATION_FAILED = "verification.failed";
        public static final String TYPE_VERIFICATION_EXPIRED = "verification.expired";
        public static final String TYPE_BALANCE_LOW = "balance.low";
        public static final String TYPE_PAYMENT_RECEIVED = "payment.received";
        public static final String TYPE_INVOICE_ISSUED = "invoice.issued";

        /** Only this type. One of {@code message.delivered}, {@code message.failed}, {@code message.expired}, {@code message.corrected}, {@code message.received}, {@code campaign.finished}, {@code link.clicked}, {@code journey.step}, {@code verification.approved}, {@code verification.failed}, {@code verification.expired}, {@code balance.low}, {@code payment.received}, {@code invoice.issued}. */
        public SampleEventsQuery type(String value) {
            return set("type", value);
        }
    }

    /** Limits of {@code listHandsets}. */
    public static final class ListHandsetsQuery extends Fields<ListHandsetsQuery> {
        public ListHandsetsQuery limit(long value) {
            return set("limit", value);
        }
    }

    /** Limits of {@code listHandsetMessages}. */
    public static final class ListHandsetMessagesQuery extends Fields<ListHandsetMessagesQuery> {
        /** Required. Phone number in international format. Spaces, dashes and a leading + or 00 are allowed. */
        public ListHandsetMessagesQuery number(String value) {
            return set("number", value);
        }

        public ListHandsetMessagesQuery limit(long value) {
            return set("limit", value);
        }
    }
}
