import { PageSkeleton } from "#components/shell/page-skeleton.tsx";

export default function StatisticsLoading() {
  return <PageSkeleton title="Statistics" figures={4} rows={8} />;
}
