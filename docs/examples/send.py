import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["HELIOGRAPH_URL"] + "/v1/messages",
    method="POST",
    headers={
        "Authorization": "Bearer " + os.environ["HELIOGRAPH_API_KEY"],
        "Content-Type": "application/json",
        "Idempotency-Key": "order-1001-shipped",
    },
    data=json.dumps({
        "from": "ACME",
        "to": "+63 917 000 0001",
        "text": "Your order 1001 is on its way.",
        "client_ref": "order-1001",
    }).encode(),
)
with urllib.request.urlopen(request, timeout=30) as response:
    message = json.load(response)
print(message["id"], message["state"], message["price"], message["currency"])
