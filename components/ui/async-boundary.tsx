import { Suspense, type ReactNode } from "react";
import { Card } from "./card.tsx";
import { PanelBoundary } from "./panel-boundary.tsx";
import { SkeletonRows } from "./skeleton.tsx";

export interface AsyncBoundaryProps {
  /** Title of the error: `The queue could not be loaded`. */
  failed: string;
  /** Rows of the placeholder; 0 for none. */
  rows?: number;
  children: ReactNode;
}

/** A Suspense and error boundary: the part is streamed when its data are ready, and its errors stay inside. */
export function AsyncBoundary({ failed, rows = 6, children }: AsyncBoundaryProps) {
  const placeholder = rows === 0 ? null : <SkeletonRows rows={rows} columns={3} />;
  return (
    <PanelBoundary failed={failed}>
      <Suspense fallback={placeholder && <Card>{placeholder}</Card>}>{children}</Suspense>
    </PanelBoundary>
  );
}
