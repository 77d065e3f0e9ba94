"""Signatures of callbacks, by Standard Webhooks 1.0."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Iterable, Mapping, Union

TOLERANCE_SECONDS = 5 * 60


class WebhookError(Exception):
    """A callback that is not from the platform: answer 400."""


def _key(secret: str) -> bytes:
    try:
        if secret.startswith("whsec_") and (key := base64.b64decode(secret[len("whsec_"):], validate=True)):
            return key
    except binascii.Error:
        pass
    raise WebhookError("The secret must be as the console showed it; it begins with whsec_.")


def verify_webhook(payload: Union[bytes, str], headers: Mapping[str, str], secrets: Union[str, Iterable[str]], *,
                   tolerance_seconds: int = TOLERANCE_SECONDS) -> tuple[str, dict[str, Any]]:
    """Checks a callback and returns its id and its event.

    `payload` is the body exactly as it arrived. `secrets` are the valid ones: one, or two while the secret changes. The id
    is the same at every try: ignore one that you have processed. Raises WebhookError.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not lower.get(name):
            raise WebhookError(f"The header {name} is missing.")
    ident, stamp = lower["webhook-id"], lower["webhook-timestamp"]
    if not (stamp.isascii() and stamp.isdigit() and len(stamp) <= 12):
        raise WebhookError("The header webhook-timestamp is not a number of seconds.")
    if abs(time.time() - int(stamp)) > tolerance_seconds:
        raise WebhookError("The callback is too old, or the clock of this computer is wrong.")
    body = payload.encode() if isinstance(payload, str) else payload
    signed = f"{ident}.{stamp}.".encode() + body
    given = [each[3:] for each in lower["webhook-signature"].split(" ") if each.startswith("v1,")]
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        wanted = base64.b64encode(hmac.new(_key(secret), signed, hashlib.sha256).digest()).decode()
        if any(hmac.compare_digest(wanted.encode(), each.encode()) for each in given):
            return ident, json.loads(body)
    raise WebhookError("No signature of the callback matches any of the secrets.")
