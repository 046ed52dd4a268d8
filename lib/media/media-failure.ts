const MINUTE_MS = 60_000;
/** Time before a failed address is requested again. */
const RETRY_AFTER_MS = {
  no_medium: 0,
  gone: 10 * MINUTE_MS,
  refused: 10 * MINUTE_MS,
  too_large: 10 * MINUTE_MS,
  not_a_picture: 10 * MINUTE_MS,
  not_playable: 10 * MINUTE_MS,
  host_failed: MINUTE_MS,
  host_waits: MINUTE_MS,
  timeout: MINUTE_MS,
  busy: 5_000,
};

/** Sent as `X-Media-Error`. */
export type MediaFailureKind = keyof typeof RETRY_AFTER_MS;

/** When an address that failed in this way may be asked again. */
export function retryTime(kind: MediaFailureKind): Date {
  return new Date(Date.now() + RETRY_AFTER_MS[kind]);
}

/** Why a medium is not available. `message` is a sentence that may be shown. */
export class MediaFailure extends Error {
  override readonly name = "MediaFailure";
  readonly kind: MediaFailureKind;
  /** When a retry may succeed. */
  readonly until: Date;

  constructor(kind: MediaFailureKind, message: string, until = retryTime(kind), options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.until = until;
  }
}

const PASSING: readonly MediaFailureKind[] = ["host_failed", "host_waits", "timeout", "busy"];

/** Whether the picture may be available later. */
export function isPassing({ kind }: MediaFailure): boolean {
  return PASSING.includes(kind);
}

const UNDRAWABLE = {
  not_a_picture: "The picture is damaged.",
  too_large: "The picture needs too much memory or time to be drawn.",
  busy: "Too many pictures are waiting to be drawn. Try again in a few seconds.",
};

/** The failure of a picture that the decoder refused, or at which it failed or ended. `busy`: it was not tried. */
export function undrawable(reason: keyof typeof UNDRAWABLE, cause?: unknown): MediaFailure {
  return new MediaFailure(reason, UNDRAWABLE[reason], undefined, { cause });
}
