# Boosts approved posts of Sluice from an account on Mastodon, with a line for each post. Python 3.9 or newer:
#   pip install -r requirements.txt
#   SLUICE_URL=https://… SLUICE_KEY=slc_… MASTODON_URL=https://… MASTODON_TOKEN=… python3 bot.py
# The key needs the scope "consume", the token "read:search" and "write:statuses".
import os, re, sys, time
from datetime import datetime
import mastodon, requests  # Mastodon.py brings requests with it

names = ("SLUICE_URL", "SLUICE_KEY", "MASTODON_URL", "MASTODON_TOKEN")
unset = [name for name in names if not os.environ.get(name)]
if unset:
    sys.exit(f"Set {', '.join(unset)}.")
for name in ("SLUICE_URL", "MASTODON_URL"):
    if not re.fullmatch(r"https?://[^/?#]+/?", os.environ[name]):
        sys.exit(f"{name} must be an address such as https://example.org.")
pause = os.environ.get("PAUSE", "60")
if not re.fullmatch(r"\d*\.?\d+", pause) or float(pause) <= 0:
    sys.exit("PAUSE must be a number of seconds above 0.")
PAUSE = float(pause)  # seconds between two posts, and after a failure
TIMEOUT = 30  # seconds of one request
CURATED = os.environ["SLUICE_URL"].rstrip("/") + "/api/v1/curated/"
# With a version it does not ask the server for one: without an answer, Mastodon.py 2.3.3 asks again until it crashes.
server = mastodon.Mastodon(api_base_url=os.environ["MASTODON_URL"], access_token=os.environ["MASTODON_TOKEN"],
                           mastodon_version="4.0.0", ratelimit_method="throw", request_timeout=TIMEOUT)

def log(line):
    print(datetime.now().astimezone().isoformat(timespec="seconds"), line, flush=True)

def sluice(path, etag=None, body=None):
    """None without an answer. Ends the program when the key is refused."""
    headers = {"X-API-Key": os.environ["SLUICE_KEY"], **({"If-Match": etag} if etag else {})}
    is_read = path == "next"
    try:
        answer = requests.request("GET" if is_read else "POST", CURATED + path, headers=headers, json=body, timeout=TIMEOUT)
    except requests.RequestException as problem:
        log(f"Sluice: {problem}")
        return None
    if answer.status_code in (401, 403):
        sys.exit(f"Sluice: {answer.text}")
    if is_read and answer.status_code >= 400:
        log(f"Sluice: {answer.status_code} {answer.text}")
    return answer

def retry_after(answer, otherwise):
    """Seconds to wait; `otherwise` without the header, or with a date from a proxy."""
    value = answer.headers.get("Retry-After", "") if answer is not None else ""
    return float(value) if value.isdigit() else otherwise

def failed(reason):
    return "error", {"reason": reason}, reason

def boost(uri, until):
    """The verb that settles the post, the body of that request, and a note for the log."""
    try:
        # resolve=True lets the server fetch a post that it has not seen yet.
        found = server.search_v2(uri, resolve=True, result_type="statuses")["statuses"]
        if not found:
            return failed("Status not found on fediverse")
        server.status_reblog(found[0]["id"])
        return "ack", None, ""
    except mastodon.MastodonRatelimitError as problem:  # wait within the reservation, else give the post back
        if time.time() + PAUSE + 5 > until:
            return "nack", None, str(problem)
        time.sleep(PAUSE)
        return boost(uri, until)
    except mastodon.MastodonNotFoundError:
        return failed("Status not found on fediverse")
    except (mastodon.MastodonError, OSError) as problem:  # an answer of the server, or none at all
        if 422 in problem.args:
            return "ack", None, "again: it was boosted before"
        return failed("Boosting this status is not allowed") if 403 in problem.args else ("nack", None, str(problem))

failures = 0

def settle(post, etag, outcome):
    global failures
    verb, body, note = outcome
    log(" ".join([{"ack": "boosted", "nack": "gave back", "error": "reported"}[verb], post["post_uri"], note]).rstrip())
    least = 0.0  # seconds that Sluice asks to wait after a nack
    for attempt in range(1, 6):
        # The ETag keeps a late answer from touching the reservation of another bot. 404, 409, 412: nothing to do.
        settled = sluice(f"{post['fenliu_post_id']}/{verb}", etag, body)
        if settled is not None and settled.status_code < 500:
            least = retry_after(settled, 0.0)
            break
        time.sleep(2**attempt)
    failures = failures + 1 if verb == "nack" else 0
    time.sleep(max(least, PAUSE * 2 ** min(failures, 5)))

def end_of(answer):
    return datetime.fromisoformat(answer.headers["X-Reservation-Expires-At"].replace("Z", "+00:00")).timestamp()

while True:
    answer = sluice("next")
    if answer is None or answer.status_code != 200:  # 204: no post; else try again
        time.sleep(retry_after(answer, PAUSE))
        continue
    post = answer.json()
    settle(post, answer.headers["ETag"], boost(post["post_uri"], end_of(answer)))
