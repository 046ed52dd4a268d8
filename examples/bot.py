# Boosts approved posts of Sluice from an account on Mastodon, with a line for each post. Python 3.9 or newer:
#   pip install -r requirements.txt
#   SLUICE_URL=https://… SLUICE_KEY=slc_… MASTODON_URL=https://… MASTODON_TOKEN=… python3 bot.py
# The key needs the scope "consume", the token "read:search" and "write:statuses".
import os, sys, time
from datetime import datetime
import mastodon, requests  # Mastodon.py brings requests with it

unset = [name for name in ("SLUICE_URL", "SLUICE_KEY", "MASTODON_URL", "MASTODON_TOKEN") if not os.environ.get(name)]
if unset:
    sys.exit(f"Set {', '.join(unset)}.")
PAUSE = float(os.environ.get("PAUSE", "60"))  # seconds between two posts, and after a failure
TIMEOUT = 30  # seconds of one request
CURATED = os.environ["SLUICE_URL"] + "/api/v1/curated/"
server = mastodon.Mastodon(api_base_url=os.environ["MASTODON_URL"], access_token=os.environ["MASTODON_TOKEN"],
                           ratelimit_method="throw", request_timeout=TIMEOUT)

def log(line):
    print(datetime.now().astimezone().isoformat(timespec="seconds"), line, flush=True)

def sluice(path, etag=None, body=None):
    headers = {"X-API-Key": os.environ["SLUICE_KEY"], **({"If-Match": etag} if etag else {})}
    try:
        return requests.request("GET" if path == "next" else "POST", CURATED + path, headers=headers, json=body, timeout=TIMEOUT)
    except requests.RequestException as problem:
        log(f"Sluice: {problem}")
        return None

def retry_after(answer, otherwise):
    """Seconds to wait; `otherwise` without the header, or with a date from a proxy."""
    value = answer.headers.get("Retry-After", "") if answer is not None else ""
    return float(value) if value.isdigit() else otherwise

def boost(uri, until):
    """The verb that settles the post, and for "error" the reason."""
    try:
        # resolve=True lets the server fetch a post that it has not seen yet.
        found = server.search_v2(uri, resolve=True, result_type="statuses")["statuses"]
        if not found:
            return "error", "Status not found on fediverse"
        server.status_reblog(found[0]["id"])
        return "ack", None
    except mastodon.MastodonRatelimitError:  # wait within the reservation, else give the post back
        if time.time() + PAUSE + 5 > until:
            return "nack", None
        time.sleep(PAUSE)
        return boost(uri, until)
    except mastodon.MastodonNotFoundError:
        return "error", "Status not found on fediverse"
    except (mastodon.MastodonError, OSError) as problem:  # an answer of the server, or none at all
        log(f"{uri}: {problem}")
        if 422 in problem.args:  # boosted before
            return "ack", None
        return ("error", "Boosting this status is not allowed") if 403 in problem.args else ("nack", None)

failures = 0
while True:
    answer = sluice("next")
    if answer is not None and answer.status_code in (401, 403):
        sys.exit(answer.text)
    if answer is not None and answer.status_code >= 400:
        log(f"Sluice: {answer.status_code} {answer.text}")
    if answer is None or answer.status_code != 200:  # 204: no post; else try again
        time.sleep(retry_after(answer, PAUSE))
        continue
    post, until = answer.json(), answer.headers["X-Reservation-Expires-At"]
    verb, reason = boost(post["post_uri"], datetime.fromisoformat(until.replace("Z", "+00:00")).timestamp())
    log(" ".join([{"ack": "boosted", "nack": "gave back", "error": "reported"}[verb], post["post_uri"], reason or ""]).rstrip())
    least = 0.0  # seconds that Sluice asks to wait after a nack
    for attempt in range(1, 6):
        # The ETag keeps a late answer from touching the reservation of another bot. 404, 409, 412: nothing to do.
        settled = sluice(f"{post['fenliu_post_id']}/{verb}", answer.headers["ETag"], {"reason": reason} if reason else None)
        if settled is not None and settled.status_code < 500:
            least = retry_after(settled, 0.0)
            break
        time.sleep(2**attempt)
    failures = failures + 1 if verb == "nack" else 0
    time.sleep(max(least, PAUSE * 2 ** min(failures, 5)))
