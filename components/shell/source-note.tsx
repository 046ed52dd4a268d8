import { cn } from "#components/ui/cn.ts";

export interface SourceNoteProps {
  url: string | undefined;
  /** Admins are told how to set the address. */
  isAdmin?: boolean;
  className?: string;
}

/** Link to the source code, which section 13 of the AGPL requires on every page. */
export function SourceNote({ url, isAdmin = false, className }: SourceNoteProps) {
  if (url === undefined) {
    return (
      <p className={cn("text-12 text-muted", className)}>
        Source code (AGPL): {isAdmin ? "set SOURCE_URL" : "ask the operator"}
      </p>
    );
  }
  return (
    <a
      href={url}
      rel="noreferrer"
      className={cn(
        "inline-flex h-control-sm items-center rounded-sm text-12 text-muted hover:text-text hover:underline",
        className,
      )}
    >
      Source code (AGPL)
    </a>
  );
}
