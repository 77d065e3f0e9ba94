import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["HELIOGRAPH_URL"] + "/v1/batches",
    method="POST",
    headers={
        "Authorization": "Bearer " + os.environ["HELIOGRAPH_API_KEY"],
        "Content-Type": "application/json",
        "Idempotency-Key": "parcels-today",
    },
    data=json.dumps({
        "from": "ACME",
        "text": "Hello {name}, your parcel arrives {param1}.",
        "recipients": [
            {"to": "639170000001", "params": {"name": "Ana", "param1": "today"}},
            {"to": "639170000002", "text": "Hello, your parcel is late."},
            {"to": "12"},
        ],
    }).encode(),
)
with urllib.request.urlopen(request, timeout=60) as response:
    batch = json.load(response)
print(f'{batch["id"]}: {batch["accepted"]} of {batch["total"]} accepted, {batch["price"]} {batch["currency"]}')
for refused in batch["rejected"]:
    print(f'recipient {refused["index"]}, {refused["to"]}: {refused["detail"]}')
