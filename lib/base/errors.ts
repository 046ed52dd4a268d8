/** All errors of the API, with status and text (docs/api.md#errors). `{name}` is replaced by a parameter. */
const table = {
  // Authentication and authorisation
  missing_key: [401, "Missing X-API-Key header"],
  invalid_key: [401, "Invalid API key"],
  scope_missing: [403, "API key lacks the scope '{scope}'"],
  role_forbidden: [403, "Your role does not allow this"],
  cross_site: [403, "Cross-site request refused"],
  session_only: [403, "This needs a signed-in member, not an API key"],
  // Malformed requests
  not_found: [404, "Not found"],
  method_not_allowed: [405, "Method not allowed"],
  body_too_large: [413, "Request body is larger than 256 KiB"],
  length_required: [411, "Content-Length is required here"],
  headers_too_large: [431, "Request headers are too large"],
  request_timeout: [408, "The request took too long to arrive"],
  malformed_request: [400, "Malformed request"],
  invalid_json: [400, "Invalid JSON body"],
  bad_request: [400, "{message}"],
  validation: [422, "Validation error: {message}"],
  // Posts and queue
  post_not_found: [404, "Post not found"],
  queue_post_not_found: [404, "Post {id} not found"],
  wrong_state: [409, "Post is in state '{state}', expected '{expected}'"],
  post_edited: [409, "Post was edited: this is version {version}, not {asked}"],
  post_erased: [409, "Post was deleted at its own server, and its content here"],
  extend_limit: [409, "A reservation cannot be extended beyond 24 hours after it began"],
  stale_reservation: [412, "Reservation is no longer current"],
  retention_days_negative: [400, "retention_days must be >= 0"],
  retention_days_not_integer: [400, "retention_days must be an integer"],
  lookback_days_below_one: [400, "lookback_days must be >= 1"],
  lookback_days_not_integer: [400, "lookback_days must be an integer"],
  // Review desk
  batch_not_found: [404, "Batch not found"],
  batch_undone: [409, "This batch was undone already"],
  author_not_found: [404, "Author not found"],
  reject_reason_not_found: [404, "Reason not found"],
  reject_reason_exists: [409, "A reason named '{label}' already exists"],
  reject_reasons_full: [409, "There are {count} reasons in use already: archive one first"],
  // Streams
  stream_not_found: [404, "Stream {id} not found"],
  stream_exists: [409, "Hashtag #{hashtag} already monitored on {instance}"],
  stream_inactive: [409, "Stream {id} is inactive"],
  stream_busy: [409, "Stream {id} is being fetched already"],
  stream_has_posts: [
    409,
    "Stream {id} has stored posts, so its hashtag and server cannot change: add another stream",
  ],
  remote_failed: [502, "{message}"],
  remote_timeout: [504, "{message}"],
  remote_waiting: [503, "{message}"],
  // Blocking, topical rules
  blocked_user_not_found: [404, "Blocked user not found"],
  blocked_hashtag_not_found: [404, "Blocked hashtag not found"],
  pattern_exists: [409, "This pattern is already in the blocklist"],
  hashtag_blocked_already: [409, "This hashtag is already in the blocklist"],
  opt_out_not_found: [404, "No reported opt-out of this author is open"],
  topical_tag_not_found: [404, "Topical tag not found"],
  topical_tag_exists: [409, "A topical rule for #{hashtag} already exists"],
  // Classification, pictures
  classify_word_not_found: [404, "Word not found"],
  classify_word_exists: [409, "This word is already on the list"],
  picture_not_found: [404, "No such picture"],
  picture_unavailable: [404, "{message}"],
  range_not_satisfiable: [416, "Range not satisfiable"],
  // Keys and members
  api_key_not_found: [404, "API key not found"],
  several_keys: [409, "There are several active keys; name one by its id"],
  member_not_found: [404, "Member not found"],
  member_exists: [409, "A member with this e-mail address already exists"],
  last_admin: [409, "The last admin cannot be removed, disabled or demoted"],
  session_not_found: [404, "Session not found"],
  link_not_found: [404, "Link not found"],
  wrong_password: [409, "The current password is not right"],
  last_way_in: [409, "Set a password first: there would be no way left to sign in"],
  // The service itself
  cron_secret_wrong: [401, "Invalid cron secret"],
  cron_closed: [503, "CRON_SECRET is not set, so no scheduler may call this"],
  busy: [503, "The service is busy, try again"],
  not_ready: [503, "The database is being brought up to date, try again"],
  database_newer: [503, "The database is newer than this version of Sluice, which must be upgraded"],
  database_away: [503, "The database is not reachable, try again"],
  database_unwritable: [503, "The database cannot write now, try again"],
  database_canceled: [503, "The database ended this request because it took too long, try again"],
  internal: [500, "Internal server error"],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof table;

export const errorCodes = Object.keys(table) as ErrorCode[];

/** HTTP status. */
export function statusOf(code: ErrorCode): number {
  return table[code][0];
}

/** Text with its placeholders, for the OpenAPI document. */
export function textOf(code: ErrorCode): string {
  return table[code][1];
}

export interface FieldError {
  path: string;
  message: string;
}

/** Domain code throws codes, never statuses or texts. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly errors: FieldError[] | undefined;
  /** State of the post that a conflict is about. */
  readonly state: string | undefined;

  constructor(
    code: ErrorCode,
    params: Record<string, string | number> = {},
    extra: { headers?: Record<string, string>; errors?: FieldError[] } = {},
  ) {
    super(table[code][1].replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole)));
    this.code = code;
    this.status = table[code][0];
    this.headers = extra.headers ?? {};
    this.errors = extra.errors;
    this.state = this.status === 409 && params.state !== undefined ? String(params.state) : undefined;
  }

  /** Body of the answer (docs/api.md#errors). */
  toJSON(): { detail: string; code: ErrorCode; state?: string; errors?: FieldError[] } {
    const { message, code, state, errors } = this;
    return {
      detail: message,
      code,
      ...(state === undefined ? {} : { state }),
      ...(errors ? { errors } : {}),
    };
  }
}

/** A 422 with `Validation error: <field>: <sentence>[; …]`. */
export function validationError(errors: FieldError[]): ApiError {
  const message = errors.map((e) => (e.path ? `${e.path}: ${e.message}` : e.message)).join("; ");
  return new ApiError("validation", { message }, { errors });
}

/** Out of disk or memory, a storage error, or a standby after a failover. */
const unwritableCodes = new Set(["53000", "53100", "53200", "58030", "25006"]);
const awayCodes = new Set(
  "P1001 P1002 P1008 P1017 P2024 P2037 ECONNREFUSED ECONNRESET EPIPE ENOTFOUND ETIMEDOUT 57P01 57P02 57P03 53300 08000 08001 08003 08004 08006"
    .split(" ")
    .concat(...unwritableCodes),
);
const awayKinds = new Set(
  "DatabaseNotReachable ConnectionClosed SocketTimeout TooManyConnections TlsConnectionError SystemError".split(
    " ",
  ),
);
const awayText =
  /timeout exceeded when trying to connect|Connection terminated|Can't reach database|server closed the connection|is not queryable/i;
/** Deadlock, serialization failure. */
const conflictCodes = new Set(["40P01", "40001", "P2034"]);
/** `statement_timeout`, `lock_timeout`, `idle_in_transaction_session_timeout` and `transaction_timeout`. */
const cancelCodes = new Set(["57014", "55P03", "25P03", "25P04"]);

type Layer = Record<string, unknown>;

/** Whether the test holds for the error, or for one that it wraps. */
function isInside(error: unknown, test: (layer: Layer) => boolean, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > 5) return false;
  const layer = error as Layer;
  const { cause, meta, driverAdapterError, errors } = layer;
  const inner = [cause, meta, driverAdapterError, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  return test(layer) || inner.some((each) => isInside(each, test, depth + 1));
}

const hasCode = ({ code, originalCode }: Layer, codes: ReadonlySet<unknown>) =>
  codes.has(code) || codes.has(originalCode);

/** Whether the database cannot be reached or cannot write. */
export function isDatabaseAway(error: unknown): boolean {
  return isInside(
    error,
    (layer) =>
      hasCode(layer, awayCodes) ||
      isPoolerError(layer) ||
      awayKinds.has(String(layer.kind)) ||
      awayText.test(String(layer.message)),
  );
}

/**
 * PgBouncer gives all errors of its own this code and ends the connection. From PostgreSQL the code means a mistake of
 * ours, and the severity is ERROR.
 */
function isPoolerError(layer: Layer): boolean {
  return layer.severity === "FATAL" && hasCode(layer, new Set(["08P01"]));
}

/** Whether the driver's error says that the server or pooler has no connection left for this process. */
export function isConnectionLimit(error: unknown): boolean {
  const layer = (error ?? {}) as Layer;
  const refusal = /no more connections allowed|client connections exceeded/;
  return layer.code === "53300" || (isPoolerError(layer) && refusal.test(String(layer.message)));
}

let lastFailedWrite = -Infinity;

/** Whether a write of this process failed in the last 30 seconds. A full disk refuses only some writes. */
export function writesFail(): boolean {
  return Date.now() - lastFailedWrite < 30_000;
}

/** The 503 for an error of which `isDatabaseAway` is true. Notes failed writes for `writesFail`. */
export function databaseAway(error: unknown): ApiError {
  const isUnwritable = isInside(error, (layer) => hasCode(layer, unwritableCodes));
  if (isUnwritable) lastFailedWrite = Date.now();
  return tryAgain(isUnwritable ? "database_unwritable" : "database_away");
}

/** Whether PostgreSQL ended the transaction by a deadlock or conflict. It is rolled back, so a retry is safe. */
export function isLockConflict(error: unknown): boolean {
  return isInside(
    error,
    (layer) => hasCode(layer, conflictCodes) || layer.kind === "TransactionWriteConflict",
  );
}

/** Whether PostgreSQL ended the statement or transaction by a time limit. It is rolled back. */
export function isCanceled(error: unknown): boolean {
  return isInside(error, (layer) => hasCode(layer, cancelCodes));
}

/** Whether a transaction got no connection in time or exceeded its timeout. */
export function isTransactionLate(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "P2028";
}

/** A 503 for a temporary condition, with `Retry-After`. */
export function tryAgain(code: ErrorCode, seconds = 5): ApiError {
  return new ApiError(code, {}, { headers: { "Retry-After": String(seconds) } });
}

/** The 503 for a deadlock, a full pool or a transaction that took too long. */
export function busy(): ApiError {
  return tryAgain("busy", 2);
}
