import { PageSkeleton } from "#components/shell/page-skeleton.tsx";
import { words } from "#components/words/en.ts";

export default function StatisticsLoading() {
  return <PageSkeleton title={words.statistics.title} figures={4} rows={8} />;
}
