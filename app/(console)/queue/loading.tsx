import { PageSkeleton } from "#components/shell/page-skeleton.tsx";
import { words } from "#components/words/en.ts";

export default function QueueLoading() {
  const { title, description } = words.queue;
  return <PageSkeleton title={title} description={description} figures={5} rows={10} />;
}
