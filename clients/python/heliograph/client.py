"""The client: retries, idempotency keys, pages and the stream of events."""

from __future__ import annotations

import email.utils
import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Callable, Iterator, Optional

from .api import Calls
from .version import VERSION

FIRST_WAIT = 0.5
LONGEST_WAIT = 20.0
LONGEST_RETRY_AFTER = 120.0
"""Longest Retry-After in seconds that a call waits for; a longer one makes the call fail immediately."""
SILENCE = 45.0
"""Longest silence of a stream in seconds: the platform sends a line every 15 seconds."""


class HeliographError(Exception):
    """Base of the errors of this client."""


class ApiError(HeliographError):
    """Error that the API answered; its text is a sentence for people."""

    def __init__(self, status: int, problem: dict[str, Any], retry_after: Optional[float]) -> None:
        super().__init__(problem.get("message") or problem.get("title") or f"The API answered {status}.")
        self.status = status
        self.code: Optional[str] = problem.get("code")
        """Code for programs; None if a proxy answered instead of the API."""
        self.reason: Optional[str] = problem.get("reason")
        self.errors: dict[str, list[str]] = problem.get("errors") or {}
        """Sentences by field, such as `recipients.3.to`."""
        self.request_id: Optional[str] = problem.get("request_id")
        self.problem = problem
        self.retry_after = retry_after
        """Seconds to wait, if the answer named a time."""


class ConnectionFailed(HeliographError):
    """No answer came: it is unknown whether the request was processed."""

    def __init__(self, message: str, timeout: bool) -> None:
        super().__init__(message)
        self.timeout = timeout


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A key is for one host only, so redirects are refused."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _retry_after(header: Optional[str]) -> Optional[float]:
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None


def _problem(content: bytes) -> dict[str, Any]:
    try:
        problem = json.loads(content)
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}


class Heliograph(Calls):
    """The API of a Heliograph platform. Every call tries again by itself if that is safe and can help.

    `url` is the address of the platform and `key` an API key of the console. `timeout` is the longest wait for one answer in
    seconds, and `retries` the most tries after the first.
    """

    def __init__(self, url: str, key: str, *, timeout: float = 30.0, retries: int = 4) -> None:
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise HeliographError(f"The url must be like https://sms.example.com, not {url!r}.")
        if not key:
            raise HeliographError("The key is missing. Create one in the console, under API keys.")
        self._url = url.rstrip("/")
        self._key = key
        self._timeout = timeout
        self._retries = retries
        self._opener = urllib.request.build_opener(_NoRedirects)

    def every(self, call: Callable[..., Any], *given: Any, **options: Any) -> Iterator[Any]:
        """Yields the items of all pages of a list: `for m in client.every(client.list_messages, batch_id="5")`."""
        for page in self.pages(call, *given, **options):
            yield from page["data"]

    def pages(self, call: Callable[..., Any], *given: Any, **options: Any) -> Iterator[Any]:
        """Yields the pages of a list. Store `next_cursor` of a page when you have processed its items."""
        while True:
            page = call(*given, **options)
            yield page
            if not page["has_more"]:
                return
            options["cursor"] = page["next_cursor"]

    def stream_events(self, *, cursor: Optional[str] = None, since: Optional[str] = None, types: Optional[str] = None,
                      share: Optional[str] = None, group: Optional[str] = None) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yields the events as they happen, each after the cursor with which reading continues later.

        A connection that breaks is made again after the last event, so that none is missed. Raises ApiError, and
        ConnectionFailed if no connection comes about.
        """
        wait = 2.0
        while True:
            query = {"cursor": cursor, "since": since, "types": types, "share": share, "group": group}
            answer = self._tried(lambda: self._open("GET", "/v1/events/stream", query=query, timeout=SILENCE))
            try:
                with answer:
                    for ident, data, retry in _frames(answer):
                        wait = retry if retry is not None else wait
                        if ident is None or data is None:
                            continue
                        cursor = ident
                        yield ident, json.loads(data)
            except (OSError, http.client.HTTPException):
                # It broke off, or fell silent.
                pass
            time.sleep(wait)

    def _call(self, method: str, path: str, *, query: Optional[dict[str, Any]] = None, body: Any = None,
              idempotency_key: Optional[str] = None, as_bytes: bool = False, repeatable: bool = True) -> Any:
        def once() -> Any:
            with self._open(method, path, query=query, body=body, idempotency_key=idempotency_key) as answer:
                try:
                    content = answer.read()
                except (OSError, http.client.HTTPException) as error:
                    raise self._failed(error) from error
            return content if as_bytes else json.loads(content)

        return self._tried(once, repeatable)

    def _tried(self, once: Callable[[], Any], repeatable: bool = True) -> Any:
        tries = 0
        while True:
            try:
                return once()
            except HeliographError as error:
                wait = _wait(error, tries, repeatable)
                if wait is None or tries >= self._retries:
                    raise
                time.sleep(wait)
                tries += 1

    def _open(self, method: str, path: str, *, query: Optional[dict[str, Any]] = None, body: Any = None,
              idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        asked = {name: value for name, value in (query or {}).items() if value is not None}
        address = self._url + path + ("?" + urllib.parse.urlencode(asked) if asked else "")
        request = urllib.request.Request(address, method=method)
        request.add_header("Authorization", f"Bearer {self._key}")
        request.add_header("User-Agent", f"heliograph-python/{VERSION}")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if idempotency_key is not None:
            request.add_header("Idempotency-Key", idempotency_key)
        try:
            return self._opener.open(request, timeout=timeout or self._timeout)
        except urllib.error.HTTPError as error:
            with error:
                raise ApiError(error.code, _problem(error.read()), _retry_after(error.headers.get("Retry-After"))) from None
        except (OSError, http.client.HTTPException) as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> ConnectionFailed:
        cause = getattr(error, "reason", error)
        host = urllib.parse.urlsplit(self._url).netloc
        if isinstance(cause, TimeoutError):
            return ConnectionFailed(f"{host} did not answer in time.", True)
        return ConnectionFailed(f"{host} could not be reached: {cause}.", False)


def _wait(error: HeliographError, tries: int, repeatable: bool) -> Optional[float]:
    """Returns the seconds before another try; None if no try can help, or if one may do something twice."""
    wait = min(FIRST_WAIT * 2**tries, LONGEST_WAIT) * (0.5 + random.random() / 2)
    if isinstance(error, ConnectionFailed):
        return wait if repeatable else None
    if not isinstance(error, ApiError):
        return None
    if error.status != 429 and not repeatable:
        return None
    if error.status != 429 and error.status < 500 and error.code != "idempotency_in_flight":
        return None
    if error.retry_after is None:
        return wait
    return None if error.retry_after > LONGEST_RETRY_AFTER else max(error.retry_after, wait)


def _frames(lines: Any) -> Iterator[tuple[Optional[str], Optional[str], Optional[float]]]:
    """Yields id, data and the wait before another connection of each frame of server-sent events."""
    fields: dict[str, str] = {}
    for line in lines:
        text = line.decode().rstrip("\r\n")
        if text == "":
            if fields:
                retry = fields.get("retry")
                yield fields.get("id"), fields.get("data"), float(retry) / 1000 if retry else None
            fields = {}
            continue
        name, _, value = text.partition(":")
        if name:
            fields[name] = value.removeprefix(" ")
