import { PageSkeleton } from "#components/shell/page-skeleton.tsx";
import { words } from "#components/words/en.ts";

export default function TopicalLoading() {
  const { title, description } = words.topical;
  return <PageSkeleton title={title} description={description} rows={6} />;
}
