import type { ReactNode } from "react";

/** Words only for those who listen to the page. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="hidden-visually">{children}</span>;
}
