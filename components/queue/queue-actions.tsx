"use client";
import { Ellipsis, Eraser, Pause, Scissors } from "lucide-react";
import { useCan } from "#components/shell/member-context.tsx";
import { useDialogParam } from "#components/shell/use-dialog-param.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { DropdownMenu, MenuItem } from "#components/ui/dropdown-menu.tsx";
import { words } from "#components/words/en.ts";
import { CleanupDialog } from "./cleanup-dialog.tsx";
import { usePause } from "./paused-notice.tsx";
import { TrimDialog } from "./trim-dialog.tsx";

const w = words.queue;

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
            aria-label={w.more}
            className={buttonClass("quiet", "md", "aspect-square px-0")}
          >
            <Ellipsis aria-hidden />
          </button>
        }
      >
        <MenuItem icon={<Eraser aria-hidden />} onSelect={() => setCleans(true)}>
          {w.cleanup}
        </MenuItem>
        <MenuItem icon={<Scissors aria-hidden />} onSelect={() => setTrims(true)}>
          {w.trim}
        </MenuItem>
        {isPaused ? null : (
          <MenuItem icon={<Pause aria-hidden />} onSelect={() => void pause(true)}>
            {w.pause}
          </MenuItem>
        )}
      </DropdownMenu>
      <CleanupDialog open={cleans} setOpen={setCleans} />
      <TrimDialog open={trims} setOpen={setTrims} paceDays={paceDays} />
    </>
  );
}
