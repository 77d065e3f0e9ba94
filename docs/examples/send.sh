curl --silent --show-error --fail-with-body "$HELIOGRAPH_URL/v1/messages" \
  --header "Authorization: Bearer $HELIOGRAPH_API_KEY" \
  --header "Content-Type: application/json" \
  --header "Idempotency-Key: order-1001-shipped" \
  --data '{
    "from": "ACME",
    "to": "+63 917 000 0001",
    "text": "Your order 1001 is on its way.",
    "client_ref": "order-1001"
  }'
