import type { ReactNode } from "react";

/** A section of the page. Its heading stays visible while its panels scroll. */
export function Question({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="space-y-4">
      <h2 className="sticky top-0 z-10 -mx-4 border-b border-line bg-bg px-4 py-2 text-16 font-semibold tracking-tight desk:-mx-2 desk:px-2">
        {title}
      </h2>
      {children}
    </section>
  );
}
