"use client";
import { Command } from "cmdk";
import { Check } from "lucide-react";
import { useMemo } from "react";
import { useNow } from "#components/ui/clock-context.tsx";
import { cn } from "#components/ui/cn.ts";
import { words } from "#components/words/en.ts";
import { allZones, zoneMatch, zoneName, zoneOffset } from "./time-zone.ts";

const w = words.settings;
const OWN = "own";
const HOUR = 3_600_000;

/** The zones with a search field; the chosen one is marked. */
export function TimeZoneList({
  value,
  defaultZone,
  onChoose,
}: {
  value: string | null;
  defaultZone: string;
  onChoose: (zone: string | null) => void;
}) {
  // Offsets change by the hour at most; asking for four hundred takes a moment.
  const hour = Math.floor(useNow() / HOUR);
  const zones = useMemo(
    () => allZones().map((zone) => ({ zone, name: zoneName(zone), offset: zoneOffset(zone, hour * HOUR) })),
    [hour],
  );
  return (
    <Command
      label={w.timeZone}
      defaultValue={value ?? OWN}
      filter={(_value, search, keywords) => zoneMatch(keywords ?? [], search)}
    >
      <Command.Input
        autoFocus
        placeholder={w.timeZoneFind}
        className="h-control w-full border-b border-line bg-transparent px-3 text-14 placeholder:text-muted focus-visible:outline-none"
      />
      <Command.List label={w.timeZone} className="max-h-64 overflow-y-auto p-1">
        <Command.Empty className="px-2 py-6 text-center text-13 text-muted">{w.timeZoneNone}</Command.Empty>
        <Zone
          value={OWN}
          name={w.timeZoneOwn(zoneName(defaultZone))}
          chosen={value === null}
          onChoose={() => onChoose(null)}
        />
        {zones.map(({ zone, name, offset }) => (
          <Zone
            key={zone}
            value={zone}
            name={name}
            offset={offset}
            chosen={value === zone}
            onChoose={() => onChoose(zone)}
          />
        ))}
      </Command.List>
    </Command>
  );
}

function Zone({
  value,
  name,
  offset,
  chosen,
  onChoose,
}: {
  value: string;
  name: string;
  offset?: string;
  chosen: boolean;
  onChoose: () => void;
}) {
  return (
    <Command.Item
      value={value}
      keywords={[name, offset ?? ""]}
      onSelect={onChoose}
      className="flex min-h-control-sm cursor-default items-center gap-2 rounded-sm px-2 text-14 data-[selected=true]:bg-wash"
    >
      <Check aria-hidden className={cn("size-4 shrink-0 text-accent", !chosen && "invisible")} />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {offset === undefined ? null : <span className="tabular text-12 text-muted">{offset}</span>}
    </Command.Item>
  );
}
