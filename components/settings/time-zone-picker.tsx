"use client";
import { ChevronsUpDown } from "lucide-react";
import { useId, useState } from "react";
import { useNow } from "#components/ui/clock-context.tsx";
import { later } from "#components/ui/later.tsx";
import { Popover } from "#components/ui/popover.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { words } from "#components/words/en.ts";
import { zoneName, zoneOffset } from "./time-zone.ts";

const w = words.settings;

/** The list and its search are loaded when they are opened. */
const TimeZoneList = later(
  () => import("./time-zone-list.tsx").then((module) => module.TimeZoneList),
  () => <Skeleton className="h-72 w-full" />,
);

export interface TimeZonePickerProps {
  /** Null: the installation's own. */
  value: string | null;
  defaultZone: string;
  error: string | undefined;
  onChange: (zone: string | null) => void;
}

/** One of some four hundred time zones, found by typing a part of its name. */
export function TimeZonePicker({ value, defaultZone, error, onChange }: TimeZonePickerProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const now = useNow();
  const offset = zoneOffset(value ?? defaultZone, now);
  return (
    <div className="flex flex-col gap-1">
      <span id={`${id}-label`} className="text-13 font-medium">
        {w.timeZone}
      </span>
      <Popover
        open={open}
        onOpenChange={setOpen}
        label={w.timeZone}
        className="w-(--radix-popover-trigger-width) p-0"
        trigger={
          <button
            type="button"
            id={id}
            aria-labelledby={`${id}-label ${id}`}
            aria-describedby={`${id}-note`}
            className="flex h-control w-full items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 text-start text-14 transition-colors hover:border-muted"
          >
            <span className="min-w-0 flex-1 truncate">
              {value === null ? w.timeZoneOwn(zoneName(defaultZone)) : zoneName(value)}
            </span>
            <span className="tabular text-13 text-muted" suppressHydrationWarning>
              {offset}
            </span>
            <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
          </button>
        }
      >
        <TimeZoneList
          value={value}
          defaultZone={defaultZone}
          onChoose={(zone) => {
            setOpen(false);
            onChange(zone);
          }}
        />
      </Popover>
      <p id={`${id}-note`} className={error === undefined ? "text-12 text-muted" : "text-12 text-reject"}>
        {error ?? w.timeZoneHint}
      </p>
    </div>
  );
}
