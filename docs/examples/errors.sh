curl --silent --show-error --write-out '\n%{http_code}\n' "$HELIOGRAPH_URL/v1/messages" \
  --header "Authorization: Bearer $HELIOGRAPH_API_KEY" \
  --header "Content-Type: application/json" \
  --data '{ "from": "ACME", "to": "12", "text": "Hello" }'
