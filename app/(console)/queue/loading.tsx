import { PageSkeleton } from "#components/shell/page-skeleton.tsx";

export default function QueueLoading() {
  return (
    <PageSkeleton title="Queue" description="Approved posts, waiting for boost bots." figures={5} rows={10} />
  );
}
