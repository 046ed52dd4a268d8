/** Sent as `X-Media-Error`. */
export type MediaFailureKind =
  | "no_medium"
  | "gone"
  | "host_failed"
  | "host_waits"
  | "timeout"
  | "refused"
  | "too_large"
  | "busy"
  | "not_a_picture"
  | "not_playable";

/** `message` is a sentence that may be shown. */
export class MediaFailure extends Error {
  override readonly name = "MediaFailure";
  readonly kind: MediaFailureKind;
  /** When a retry may succeed. */
  readonly until: Date;

  constructor(kind: MediaFailureKind, message: string, until: Date, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.until = until;
  }
}

const PASSING: readonly MediaFailureKind[] = ["host_failed", "host_waits", "timeout", "busy"];

/** The picture may be available later. */
export function isPassing({ kind }: MediaFailure): boolean {
  return PASSING.includes(kind);
}
