import { Suspense, type ReactNode } from "react";
import { Card } from "./card.tsx";
import { PanelBoundary } from "./panel-boundary.tsx";
import { SkeletonRows } from "./skeleton.tsx";

export interface SlowProps {
  /** Shown instead when it fails: `The queue could not be loaded`. */
  failed: string;
  /** Rows of the placeholder; 0 for none. */
  rows?: number;
  children: ReactNode;
}

/** A part of a page that is sent when its data are there. It may fail alone. */
export function Slow({ failed, rows = 6, children }: SlowProps) {
  const placeholder = rows === 0 ? null : <SkeletonRows rows={rows} columns={3} />;
  return (
    <PanelBoundary failed={failed}>
      <Suspense fallback={placeholder && <Card>{placeholder}</Card>}>{children}</Suspense>
    </PanelBoundary>
  );
}
