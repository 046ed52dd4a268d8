/**
 * `unavailable`: the provider rests or its daily limit is reached; nothing was sent. `refused`: it does not accept this
 * request and will not accept it later. `nonsense`: it answered in another form than asked for. `aborted`: called off.
 */
export type RemoteFailureKind =
  | "unavailable"
  | "timeout"
  | "network"
  | "status"
  | "refused"
  | "nonsense"
  | "aborted";

/** `message` is one sentence that may be shown; it never quotes the provider, which may repeat the key. */
export class RemoteFailure extends Error {
  override readonly name = "RemoteFailure";
  readonly kind: RemoteFailureKind;
  /** When the provider may be asked again. */
  readonly until: Date | null;

  constructor(
    kind: RemoteFailureKind,
    message: string,
    options: ErrorOptions & { until?: Date | null } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.until = options.until ?? null;
  }
}

/** Another attempt with the same post may succeed. */
export function isPassing(kind: RemoteFailureKind): boolean {
  return kind !== "refused" && kind !== "nonsense";
}
