/**
 * The consumer in Python with the standard library only. A test runs it where Python is installed.
 *
 * @param address base address of this service
 */
export function consumerInPython(address: string): string {
  return String.raw`# A consumer of Sluice: takes one approved post at a time and boosts it. Python 3.9 or newer, no packages needed:
#   SLUICE_KEY=slc_… python3 consumer.py
import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

BASE = os.environ.get("SLUICE_URL", ${JSON.stringify(address)}) + "/api/v1"
KEY = os.environ.get("SLUICE_KEY", "")
PACE = float(os.environ.get("SLUICE_PACE", "60"))  # seconds between two posts


def boost(post):
    """Call your own server here. "later" returns the post to the queue; {"reason": …} removes it."""
    print("Boosting", post["post_url"], "by", post["author_account"], flush=True)
    return "boosted"


def call(method, path, lease=None, body=None):
    """Returns status, headers and text; status 0 when the server did not answer."""
    headers = {"X-API-Key": KEY, "Content-Type": "application/json"}
    if lease is not None:
        headers["If-Match"] = lease
    data = json.dumps(body).encode() if body is not None else b"" if method == "POST" else None
    request = urllib.request.Request(BASE + path, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as problem:
        return problem.code, problem.headers, problem.read().decode()
    except (OSError, http.client.HTTPException) as problem:
        return 0, {}, str(problem)


def settle(post, lease, verb, body=None):
    """Reports the outcome of a post. 404, 409, 412: it is already settled, or another consumer has it."""
    for attempt in range(1, 5):
        status, _, text = call("POST", f"/curated/{post['fenliu_post_id']}/{verb}", lease, body)
        if 200 <= status < 500 and status != 429:
            if status >= 400:
                print(verb, status, text, file=sys.stderr)
            return
        time.sleep(min(2**attempt, PACE))


def handle_one():
    """Handles one post, if there is one. Returns the seconds to wait, None after an error."""
    status, headers, text = call("GET", "/curated/next")
    if status == 204:
        return float(headers.get("Retry-After", "30"))
    if status in (401, 403):
        sys.exit(f"The key was refused: {text}")
    if status != 200:
        print("/curated/next answered", status, text, file=sys.stderr)
        return None
    post, lease = json.loads(text), headers.get("ETag", "*")
    try:
        outcome = boost(post)
    except Exception as problem:
        print("boost failed:", problem, file=sys.stderr)
        outcome = "later"
    if isinstance(outcome, dict):
        settle(post, lease, "error", outcome)
    else:
        settle(post, lease, "ack" if outcome == "boosted" else "nack")
    return None if outcome == "later" else 0


# Waits after each post, and longer after each error in a row, at most 15 minutes.
errors = 0
while True:
    rest = handle_one()
    errors = errors + 1 if rest is None else 0
    wait = min(900, PACE * 2**errors) * random.uniform(0.5, 1) if rest is None else rest
    time.sleep(max(PACE, wait))
`;
}
