export interface FieldProblem {
  path: string;
  message: string;
}

/** A failed request. `status` is 0 if there was no response. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly detail: string;
  /** Code of the table in docs/api.md#errors; null without an answer in JSON. */
  readonly code: string | null;
  readonly requestId: string | null;
  readonly errors: FieldProblem[];
  /** Seconds from `Retry-After`, or null. */
  readonly retryAfter: number | null;

  constructor(failure: {
    status: number;
    detail: string;
    code?: string | null;
    requestId?: string | null;
    errors?: FieldProblem[];
    retryAfter?: number | null;
  }) {
    super(failure.detail);
    this.name = "ApiFailure";
    this.status = failure.status;
    this.detail = failure.detail;
    this.code = failure.code ?? null;
    this.requestId = failure.requestId ?? null;
    this.errors = failure.errors ?? [];
    this.retryAfter = failure.retryAfter ?? null;
  }
}

/** Other errors get a fixed message, because theirs are not meant for users. */
export function asFailure(thrown: unknown): ApiFailure {
  if (thrown instanceof ApiFailure) return thrown;
  return new ApiFailure({ status: 0, detail: "Something went wrong on this page" });
}
