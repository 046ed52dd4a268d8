import { Card } from "#components/ui/card.tsx";
import { Skeleton, SkeletonRows } from "#components/ui/skeleton.tsx";
import { PageHeader } from "./page-header.tsx";

export interface PageSkeletonProps {
  title: string;
  description?: string | undefined;
  figures?: number;
  rows?: number;
}

export function PageSkeleton({ title, description, figures = 0, rows = 8 }: PageSkeletonProps) {
  return (
    <>
      <PageHeader title={title} description={description} />
      <div className="space-y-6">
        {figures > 0 ? (
          <Card aria-hidden className="flex flex-wrap gap-8 p-4">
            {Array.from({ length: figures }, (_, index) => (
              <span key={index} className="space-y-2">
                <Skeleton className="h-3 w-20" />
                <Skeleton className="h-6 w-14" />
              </span>
            ))}
          </Card>
        ) : null}
        <Card className="p-4">
          <SkeletonRows rows={rows} columns={3} />
        </Card>
      </div>
    </>
  );
}
