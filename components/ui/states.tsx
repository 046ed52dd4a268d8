import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { PageErrorMessage } from "#components/shell/page-error.tsx";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import { cn } from "./cn.ts";

export interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  icon?: ReactNode;
  className?: string;
}

export function EmptyState({ title, children, action, icon, className }: EmptyStateProps) {
  return (
    <div className={cn("flex flex-col items-center gap-1 px-6 py-12 text-center", className)}>
      {icon ? <span className="mb-2 text-muted [&_svg]:size-5">{icon}</span> : null}
      <p className="text-14 font-medium">{title}</p>
      {children ? <div className="max-w-sm text-13 text-balance text-muted">{children}</div> : null}
      {action ? <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  );
}

export interface ErrorStateProps {
  title: string;
  /** Shown with its request id. */
  failure?: ApiFailure | undefined;
  /** Shown below the failure's detail. */
  children?: ReactNode;
  /** Request id, if there is no ApiFailure. */
  requestId?: string | null;
  onRetry?: () => void;
  retrying?: boolean;
}

export function ErrorState({ title, failure, children, requestId, onRetry, retrying }: ErrorStateProps) {
  return (
    <PageErrorMessage
      title={title}
      icon={<CircleAlert aria-hidden className="mb-2 size-5 text-reject" />}
      hint={
        <>
          {failure?.detail}
          {children}
        </>
      }
      requestId={requestId ?? failure?.requestId ?? null}
      onRetry={onRetry}
      retrying={retrying}
    />
  );
}

export interface NoticeProps {
  tone?: "info" | "warn" | "reject" | "approve";
  icon?: ReactNode;
  children: ReactNode;
  action?: ReactNode;
  className?: string;
}

const noticeTones = {
  info: "bg-info-quiet [&>svg]:text-info",
  warn: "bg-warn-quiet [&>svg]:text-warn",
  reject: "bg-reject-quiet [&>svg]:text-reject",
  approve: "bg-approve-quiet [&>svg]:text-approve",
};

export function Notice({ tone = "info", icon, children, action, className }: NoticeProps) {
  return (
    <div
      role={tone === "reject" ? "alert" : "status"}
      className={cn(
        "flex flex-wrap items-start gap-2.5 rounded-md px-3 py-2 text-13",
        noticeTones[tone],
        className,
      )}
    >
      {icon ?? <CircleAlert aria-hidden className="mt-px size-4 shrink-0" />}
      <div className="min-w-0 flex-1 basis-48">{children}</div>
      {action}
    </div>
  );
}
