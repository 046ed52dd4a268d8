import type { ReactNode } from "react";

export function FactBox({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex min-w-0 shrink-0 flex-col gap-2">
      <h2 className="text-12 font-medium text-muted">{title}</h2>
      {children}
    </section>
  );
}
