import base64
import hashlib
import hmac
import http.server
import json
import os
import time

KEY = base64.b64decode(os.environ["HELIOGRAPH_WEBHOOK_SECRET"].removeprefix("whsec_"))


def is_ours(headers, body):
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{id}.{timestamp}.".encode() + body
    ours = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(ours, each) for each in headers.get("webhook-signature", "").split(" "))


class Receiver(http.server.BaseHTTPRequestHandler):
    seen = set()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        good = is_ours(self.headers, body)
        if good and self.headers["webhook-id"] not in self.seen:
            event = json.loads(body)
            print(event["type"], event["data"], flush=True)
            self.seen.add(self.headers["webhook-id"])
        self.send_response(204 if good else 400)
        self.end_headers()


http.server.ThreadingHTTPServer(("", int(os.environ.get("PORT", 3000))), Receiver).serve_forever()
