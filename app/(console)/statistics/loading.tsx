import { PageSkeleton } from "#components/shell/page-skeleton.tsx";
import { words } from "#components/words/en.ts";

export default function StatisticsLoading() {
  const { title, description } = words.statistics;
  return <PageSkeleton title={title} description={description} figures={5} rows={8} />;
}
