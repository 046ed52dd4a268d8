import { PageSkeleton } from "#components/shell/page-skeleton.tsx";

export default function TopicalLoading() {
  return (
    <PageSkeleton
      title="Queue"
      description="Hashtags that are delivered first on certain days, to boost bots that ask for it."
      rows={6}
    />
  );
}
