import { PageSkeleton } from "#components/shell/page-skeleton.tsx";
import { words } from "#components/words/en.ts";

export default function TopicalLoading() {
  return <PageSkeleton title={words.queue.title} description={words.topical.description} rows={6} />;
}
