import type { ReactNode } from "react";

export interface PageErrorProps {
  title: string;
  icon?: ReactNode;
  hint: ReactNode;
  requestId?: string | null;
  onRetry?: (() => void) | undefined;
  retrying?: boolean | undefined;
}

/** Loaded with every page, so it imports no icons or controls. */
export function PageErrorMessage({ title, icon, hint, requestId, onRetry, retrying }: PageErrorProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-1 px-6 py-12 text-center">
      {icon}
      <p className="text-14 font-medium">{title}</p>
      <div className="max-w-sm text-13 text-balance text-muted empty:hidden">{hint}</div>
      {requestId ? (
        <p className="mt-1 text-12 text-muted">
          Request <code className="font-mono select-all">{requestId}</code>
        </p>
      ) : null}
      {onRetry ? (
        <button
          type="button"
          onClick={retrying ? undefined : onRetry}
          aria-disabled={retrying || undefined}
          className="mt-4 inline-flex h-control-sm items-center rounded-md border border-line-strong bg-surface px-2.5 text-13 font-medium transition-colors hover:bg-wash aria-disabled:opacity-50"
        >
          Try again
        </button>
      ) : null}
    </div>
  );
}

/** Next's digest, which identifies the error in the server's log. */
export function digestOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("digest" in error)) return null;
  return typeof error.digest === "string" ? error.digest : null;
}
