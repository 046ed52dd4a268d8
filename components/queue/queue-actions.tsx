"use client";
import { useCan } from "#components/shell/member-context.tsx";
import { CleanupDialog } from "./cleanup-dialog.tsx";
import { TrimDialog } from "./trim-dialog.tsx";

export function QueueActions({ paceDays }: { paceDays: number }) {
  if (!useCan("admin")) return null;
  return (
    <>
      <CleanupDialog />
      <TrimDialog paceDays={paceDays} />
    </>
  );
}
