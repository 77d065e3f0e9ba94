curl --silent --show-error --fail-with-body "$HELIOGRAPH_URL/v1/batches" \
  --header "Authorization: Bearer $HELIOGRAPH_API_KEY" \
  --header "Content-Type: application/json" \
  --header "Idempotency-Key: parcels-today" \
  --data '{
    "from": "ACME",
    "text": "Hello {name}, your parcel arrives {param1}.",
    "recipients": [
      { "to": "639170000001", "params": { "name": "Ana", "param1": "today" } },
      { "to": "639170000002", "text": "Hello, your parcel is late." },
      { "to": "12" }
    ]
  }'
