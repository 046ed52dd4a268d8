import { Card } from "#components/ui/card.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";

export default function SettingsLoading() {
  return (
    <Card className="p-4">
      <SkeletonRows rows={6} columns={3} />
    </Card>
  );
}
