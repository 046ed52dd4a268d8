/** One refused field of a request, as the API's 422 names it. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** What the API (or the way to it) answered instead of what was asked for. `status` 0: no answer came at all. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly detail: string;
  readonly requestId: string | null;
  readonly errors: FieldProblem[];
  /** Seconds the server asked to wait (`Retry-After`), or null. */
  readonly retryAfter: number | null;

  constructor(failure: {
    status: number;
    detail: string;
    requestId?: string | null;
    errors?: FieldProblem[];
    retryAfter?: number | null;
  }) {
    super(failure.detail);
    this.name = "ApiFailure";
    this.status = failure.status;
    this.detail = failure.detail;
    this.requestId = failure.requestId ?? null;
    this.errors = failure.errors ?? [];
    this.retryAfter = failure.retryAfter ?? null;
  }

  /** The message for one field, or undefined; fits `<Field error=…>`. */
  fieldError(path: string): string | undefined {
    return this.errors.find((problem) => problem.path === path)?.message;
  }
}

/** Whatever was thrown, as an ApiFailure. A stranger's message is not shown to people: it may carry anything. */
export function asFailure(thrown: unknown): ApiFailure {
  if (thrown instanceof ApiFailure) return thrown;
  return new ApiFailure({ status: 0, detail: "Something went wrong on this page" });
}
