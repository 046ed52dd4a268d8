import type { ReactNode } from "react";

/** A question of the page, with its answer in one sentence. */
export function Question({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="space-y-4">
      <h2 id={id} className="text-16 font-semibold tracking-tight">
        {title}
      </h2>
      {children}
    </section>
  );
}
