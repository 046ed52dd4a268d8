"use client";
import { useCan } from "#components/shell/member-context.tsx";
import { CleanupDialog } from "./cleanup-dialog.tsx";
import { TrimDialog } from "./trim-dialog.tsx";

/** Actions on the whole queue. */
export function QueueActions() {
  if (!useCan("admin")) return null;
  return (
    <>
      <CleanupDialog />
      <TrimDialog />
    </>
  );
}
