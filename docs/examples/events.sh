touch cursor
while
  page=$(curl --silent --show-error --fail-with-body --get "$HELIOGRAPH_URL/v1/events" \
    --header "Authorization: Bearer $HELIOGRAPH_API_KEY" \
    --data limit=1000 --data-urlencode "cursor@cursor")
do
  echo "$page"
  echo "$page" | sed 's/.*"next_cursor":"\([^"]*\)".*/\1/' | tr -d '\n' > cursor
  echo "$page" | grep -q '"has_more":true' || break
done
