"""Client of the API of a Heliograph platform."""

from .client import ApiError, ConnectionFailed, Heliograph, HeliographError
from .version import VERSION as __version__
from .webhook import WebhookError, verify_webhook

__all__ = ["ApiError", "ConnectionFailed", "Heliograph", "HeliographError", "WebhookError", "__version__",
           "verify_webhook"]
