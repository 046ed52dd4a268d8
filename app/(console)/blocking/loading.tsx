import { PageSkeleton } from "#components/shell/page-skeleton.tsx";

export default function BlockingLoading() {
  return (
    <PageSkeleton
      title="Blocking"
      description="Posts rejected on fetch, and posts held back from boost bots."
      rows={8}
    />
  );
}
