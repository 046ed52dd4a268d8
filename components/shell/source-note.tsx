import { cn } from "#components/ui/cn.ts";

/** Required on every page by section 13 of the AGPL. */
export function SourceNote({ url, className }: { url: string | undefined; className?: string }) {
  if (url === undefined) {
    return <p className={cn("text-12 text-muted", className)}>Source code (AGPL): ask the operator</p>;
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
