import { cn } from "./cn.ts";

/** Placeholder of a list that is loading. */
export function SkeletonRows({ rows = 8, columns = 4 }: { rows?: number; columns?: number }) {
  return (
    <div role="status" className="animate-skeleton">
      <span className="hidden-visually">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        <div
          key={row}
          aria-hidden
          className="flex h-9 items-center gap-4 border-b border-line px-4 last:border-b-0"
        >
          {Array.from({ length: columns }, (_, column) => (
            <span
              key={column}
              className={cn(
                "block h-3 rounded-sm bg-wash",
                column === 0 ? "flex-2" : "flex-1",
                column > 1 && "max-desk:hidden",
              )}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
