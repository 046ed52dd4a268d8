import type { ReactNode } from "react";

/** A question of the page, with the panels that answer it. */
export function Question({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="space-y-4">
      <h2 className="text-16 font-semibold tracking-tight">{title}</h2>
      {children}
    </div>
  );
}
