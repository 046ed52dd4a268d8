export interface PageErrorProps {
  title: string;
  hint: string;
  requestId?: string | null;
  onRetry: () => void;
}

/** Part of every page, so it imports no icons, controls or texts. */
export function PageErrorMessage({ title, hint, requestId, onRetry }: PageErrorProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-1 px-6 py-12 text-center">
      <p className="text-14 font-medium">{title}</p>
      <p className="max-w-sm text-13 text-balance text-muted">{hint}</p>
      {requestId ? (
        <p className="mt-1 text-12 text-muted">
          Request <code className="font-mono select-all">{requestId}</code>
        </p>
      ) : null}
      <button
        type="button"
        onClick={onRetry}
        className="mt-4 inline-flex h-control-sm items-center rounded-md border border-line-strong bg-surface px-2.5 text-13 font-medium transition-colors hover:bg-wash"
      >
        Try again
      </button>
    </div>
  );
}

/** Names the error in the server's log; the message stays there. */
export function digestOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("digest" in error)) return null;
  return typeof error.digest === "string" ? error.digest : null;
}
