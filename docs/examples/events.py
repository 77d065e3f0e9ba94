import json
import os
import pathlib
import urllib.parse
import urllib.request

kept = pathlib.Path("cursor")
more = True
while more:
    query = {"limit": 1000}
    if kept.exists():
        query["cursor"] = kept.read_text()
    request = urllib.request.Request(
        os.environ["HELIOGRAPH_URL"] + "/v1/events?" + urllib.parse.urlencode(query),
        headers={"Authorization": "Bearer " + os.environ["HELIOGRAPH_API_KEY"]},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        page = json.load(response)
    for event in page["data"]:
        print(event["id"], event["type"], event["data"])
    kept.write_text(page["next_cursor"])
    more = page["has_more"]
