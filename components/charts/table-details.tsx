import type { ReactNode } from "react";

/** The figures of a chart as a table, closed at first. */
export function TableDetails({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className="mt-2 text-13">
      <summary className="inline-flex min-h-6 items-center rounded-sm text-12 text-muted hover:text-text pointer-coarse:min-h-11">
        Show as table
      </summary>
      <div
        tabIndex={0}
        role="region"
        aria-label={label}
        className="mt-2 max-h-80 overflow-auto rounded-md border border-line"
      >
        <table className="w-full border-collapse leading-[1.35]">
          <caption className="hidden-visually">{label}</caption>
          {children}
        </table>
      </div>
    </details>
  );
}
