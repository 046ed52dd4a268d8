import type { ReactNode } from "react";

export function AuthHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mb-5">
      <h1 className="text-20 font-semibold tracking-tight">{title}</h1>
      {children ? <p className="mt-1 text-14 text-muted wrap-anywhere">{children}</p> : null}
    </div>
  );
}
