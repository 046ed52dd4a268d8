"use client";
import { Ellipsis, Eraser, Pause, Scissors } from "lucide-react";
import { useCan } from "#components/shell/member-context.tsx";
import { useDialogParam } from "#components/shell/use-dialog-param.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { DropdownMenu, MenuItem } from "#components/ui/dropdown-menu.tsx";
import { CleanupDialog } from "./cleanup-dialog.tsx";
import { usePause } from "./paused-notice.tsx";
import { TrimDialog } from "./trim-dialog.tsx";

export function QueueActions({ paceDays, isPaused }: { paceDays: number; isPaused: boolean }) {
  const [cleans, setCleans] = useDialogParam("cleanup");
  const [trims, setTrims] = useDialogParam("trim");
  const { run: pause } = usePause();
  if (!useCan("admin")) return null;
  return (
    <>
      <DropdownMenu
        trigger={
          <button
            type="button"
            aria-label="Clean up or trim"
            className={buttonClass("quiet", "md", "aspect-square px-0")}
          >
            <Ellipsis aria-hidden />
          </button>
        }
      >
        <MenuItem icon={<Eraser aria-hidden />} onSelect={() => setCleans(true)}>
          Clean up delivered
        </MenuItem>
        <MenuItem icon={<Scissors aria-hidden />} onSelect={() => setTrims(true)}>
          Trim pending
        </MenuItem>
        {isPaused ? null : (
          <MenuItem icon={<Pause aria-hidden />} onSelect={() => void pause(true)}>
            Pause deliveries
          </MenuItem>
        )}
      </DropdownMenu>
      <CleanupDialog open={cleans} setOpen={setCleans} />
      <TrimDialog open={trims} setOpen={setTrims} paceDays={paceDays} />
    </>
  );
}
