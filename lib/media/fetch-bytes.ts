import { governedRequest } from "#lib/fediverse/governed-request.ts";
import { guardedFetch } from "#lib/fediverse/guarded-fetch.ts";
import { parseWebUrl } from "#lib/fediverse/urls.ts";
import { limited, sharedWork } from "./limited.ts";
import { MediaFailure, retryTime, type MediaFailureKind } from "./media-failure.ts";
import { looksLikePicture } from "./sniff.ts";
import { RemoteError, type RemoteErrorKind } from "#lib/fediverse/remote-error.ts";

const MAX_REMEMBERED = 5_000;
/** Downloads at a time, because bodies of up to 8 MiB are held in memory. The governor allows two of them for each host. */
const MAX_DOWNLOADS = 8;
/** Time in the queue. The governor's claim ends after 20 s, and a request takes up to 15 s. */
const MAX_WAIT_MS = 4_000;

const failures = new Map<string, MediaFailure>();
const share = sharedWork<Buffer>();
const withSlot = limited(MAX_DOWNLOADS, {
  maxWaitMs: MAX_WAIT_MS,
  refusal: () =>
    new MediaFailure("busy", "Too many pictures are being downloaded. Try again in a few seconds."),
});
/** A slot is taken after the governor has allowed the request, so that a slow host does not hold all slots. */
const request = governedRequest({
  kind: "picture",
  maxWaitMs: 8_000,
  request: (url, options) => withSlot(() => guardedFetch(url, options)),
});

/**
 * Downloads through the guarded client and the governor: two files at a time from a host, at most 8 MiB, 15 s. Waits for the
 * host, then for one of the slots of all hosts. Parallel requests share one download; a failed address is not asked again for
 * a while.
 *
 * @throws MediaFailure
 */
export async function fetchBytes(url: string): Promise<Buffer> {
  // The governor stores a row per host, so invalid hosts are refused first.
  if (parseWebUrl(url) === null) throw failedBytes(url, "refused", "The address is no web address.");
  const known = failures.get(url);
  if (known !== undefined && known.until.getTime() > Date.now()) throw known;
  return share(url, async () => {
    try {
      return await ask(url);
    } catch (error) {
      const failure = toMediaFailure(error);
      remember(url, failure);
      throw failure;
    }
  });
}

/** Notes that an address failed, and returns the failure. */
export function failedBytes(url: string, kind: MediaFailureKind, message: string): MediaFailure {
  const failure = new MediaFailure(kind, message);
  remember(url, failure);
  return failure;
}

/** For tests: forgets which addresses failed. */
export function forgetFailures(): void {
  failures.clear();
}

async function ask(url: string): Promise<Buffer> {
  const response = await request(url, { accept: "image/*,video/*,audio/*;q=0.9" });
  if (response.status === 200) return response.body;
  const host = new URL(url).host;
  const gone = response.status === 404 || response.status === 410 || response.status === 451;
  throw new MediaFailure(gone ? "gone" : "host_failed", `${host} answered ${response.status}.`);
}

const kinds: Partial<Record<RemoteErrorKind, MediaFailureKind>> = {
  refused: "refused",
  timeout: "timeout",
  too_large: "too_large",
  wait: "host_waits",
};

function toMediaFailure(error: unknown): MediaFailure {
  if (error instanceof MediaFailure) return error;
  if (!(error instanceof RemoteError)) throw error;
  const kind = kinds[error.kind] ?? "host_failed";
  // After a minute at most, the governor decides again.
  const rest = retryTime(kind);
  const until = error.retry_at !== null && error.retry_at < rest ? error.retry_at : rest;
  return new MediaFailure(kind, error.message, until, { cause: error });
}

function remember(url: string, failure: MediaFailure): void {
  if (failures.size >= MAX_REMEMBERED) failures.delete(failures.keys().next().value ?? "");
  failures.delete(url);
  failures.set(url, failure);
}

/**
 * Downloads a picture and decodes it.
 *
 * @throws MediaFailure
 */
export async function decodeFrom<T>(url: string, decode: (bytes: Buffer) => Promise<T>): Promise<T> {
  const bytes = await fetchBytes(url);
  if (!looksLikePicture(bytes)) {
    throw failedBytes(url, "not_a_picture", "The file is not a JPEG, PNG, GIF, WebP or AVIF.");
  }
  try {
    return await decode(bytes);
  } catch (error) {
    if (error instanceof MediaFailure) remember(url, error);
    throw error;
  }
}
