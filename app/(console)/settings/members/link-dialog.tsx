"use client";
import { Button } from "#components/ui/button.tsx";
import { CopyField } from "#components/ui/copy.tsx";
import { Dialog } from "#components/ui/dialog.tsx";

export interface OneTimeLink {
  title: string;
  hint: string;
  url: string;
}

export function LinkDialog({ link, onClose }: { link: OneTimeLink | undefined; onClose: () => void }) {
  return (
    <Dialog
      open={link !== undefined}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={link?.title ?? ""}
      description={link?.hint}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <CopyField label="Link" value={link?.url ?? ""} hint="Shown only once." />
    </Dialog>
  );
}
