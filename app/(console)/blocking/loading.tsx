import { PageSkeleton } from "#components/shell/page-skeleton.tsx";
import { words } from "#components/words/en.ts";

export default function BlockingLoading() {
  const { title, description } = words.filters;
  return <PageSkeleton title={title} description={description} rows={8} />;
}
