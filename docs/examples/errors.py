import json
import os
import random
import time
import urllib.error
import urllib.request
import uuid


def send(message, tries=5):
    """Sends a message once, also if it retries: each attempt has the same Idempotency-Key."""
    key = str(uuid.uuid4())
    for attempt in range(tries):
        request = urllib.request.Request(
            os.environ["HELIOGRAPH_URL"] + "/v1/messages",
            method="POST",
            headers={
                "Authorization": "Bearer " + os.environ["HELIOGRAPH_API_KEY"],
                "Content-Type": "application/json",
                "Idempotency-Key": key,
            },
            data=json.dumps(message).encode(),
        )
        wait = 0.5 * 2**attempt * random.uniform(0.5, 1)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code != 429 and error.code < 500 or attempt == tries - 1:
                raise
            wait = max(wait, float(error.headers.get("Retry-After", 0)))
        except urllib.error.URLError:
            if attempt == tries - 1:
                raise
        time.sleep(wait)


try:
    send({"from": "ACME", "to": "12", "text": "Hello"})
except urllib.error.HTTPError as error:
    problem = json.load(error)
    print(problem["status"], problem["code"], problem.get("errors"))
