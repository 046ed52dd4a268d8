"use client";
import { Command } from "cmdk";
import { ListFilter, Search, Waves } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { EmojiText } from "#components/post/emoji-text.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { readPageOffers } from "#components/shell/page-offers.ts";
import { streamName } from "#components/streams/stream-name.ts";
import { useFocus } from "#components/ui/dialog.tsx";
import { VisuallyHidden } from "#components/ui/visually-hidden.tsx";
import type { Profile } from "#lib/accounts/member-schema.ts";
import { writeFilters } from "#lib/client/desk/post-filters.ts";
import { readSavedFilters } from "#lib/client/desk/saved-filters.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { Stream } from "#lib/collect/stream-schema.ts";
import { useCommands, type Entry } from "./commands.tsx";
import { match } from "./match.ts";
import { useFind } from "./use-find.ts";

const STREAMS_SHOWN = 5;
/** Without text. */
const FILTERS_SHOWN = 3;

export interface PaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function Palette({ open, onOpenChange }: PaletteProps) {
  const focus = useFocus(false);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade-in bg-scrim" />
        <Dialog.Content
          data-palette=""
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-x-3 top-3 z-50 mx-auto max-w-xl animate-fade-in overflow-hidden rounded-lg border border-line bg-raised text-text shadow-hairline focus-visible:outline-none desk:top-[12vh]"
        >
          <VisuallyHidden>
            <Dialog.Title>Search or run a command</Dialog.Title>
          </VisuallyHidden>
          <PaletteBody onDone={() => onOpenChange(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteBody({ onDone }: { onDone: () => void }) {
  const [typed, setTyped] = useState("");
  const { places, actions } = useCommands();
  const streams = useStreamEntries(typed);
  const saved = useSavedFilterEntries(typed);
  const [offers] = useState(readPageOffers);
  const find = useFind(typed);
  const pick = (entries: readonly Entry[]) => best(typed, entries);
  const groups: [string, Entry[]][] = [
    ...offers.flatMap(({ about }): [string, Entry[]][] => (about ? [[about.name, pick(about.actions)]] : [])),
    ["Go to", pick(places)],
    ["Commands", pick(actions)],
    ["Saved filters", saved],
    ["Streams", streams],
    ["Posts", find.entries],
  ];
  const shown = groups.filter(([, entries]) => entries.length > 0);
  const count = shown.reduce((sum, [, entries]) => sum + entries.length, 0);
  const note = find.note ?? (count === 0 ? "Nothing found" : null);
  return (
    <Command shouldFilter={false} label="Search or run a command" loop>
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <Command.Input
          autoFocus
          value={typed}
          onValueChange={setTyped}
          placeholder="Page, command or text of a post"
          maxLength={500}
          className="h-12 min-w-0 flex-1 bg-transparent text-16 placeholder:text-muted focus-visible:outline-none"
        />
      </div>
      <Command.List label="Results" className="max-h-[min(60dvh,26rem)] overflow-y-auto p-1.5">
        {shown.map(([heading, entries]) => (
          <Command.Group
            key={heading}
            heading={heading}
            className="[&>[cmdk-group-heading]]:px-2 [&>[cmdk-group-heading]]:pt-2 [&>[cmdk-group-heading]]:pb-1 [&>[cmdk-group-heading]]:text-12 [&>[cmdk-group-heading]]:text-muted"
          >
            {entries.map((entry) => (
              <Line
                key={entry.id}
                entry={entry}
                onSelect={() => {
                  onDone();
                  entry.run();
                }}
              />
            ))}
          </Command.Group>
        ))}
      </Command.List>
      <p role="status" className={note === null ? "hidden-visually" : "px-3.5 pt-1 pb-3 text-13 text-muted"}>
        {note ?? (count === 1 ? "1 result" : `${count} results`)}
      </p>
    </Command>
  );
}

function Line({ entry, onSelect }: { entry: Entry; onSelect: () => void }) {
  const Icon = entry.icon;
  return (
    <Command.Item
      value={entry.id}
      onSelect={onSelect}
      className="flex min-h-control cursor-default items-center gap-2.5 rounded-md px-2 py-1 text-14 data-[selected=true]:bg-wash"
    >
      {Icon ? (
        <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      ) : (
        <span className="size-4 shrink-0" />
      )}
      <bdi className="min-w-0 flex-1 truncate">
        {entry.post ? (
          <EmojiText text={entry.name} postId={entry.post.id} emojis={entry.post.emojis} />
        ) : (
          entry.name
        )}
      </bdi>
      {entry.detail ? (
        <span dir="auto" className="max-w-2/5 truncate text-12 text-muted">
          {entry.detail}
        </span>
      ) : null}
    </Command.Item>
  );
}

/** Without text: all commands in their order. */
function best(typed: string, entries: readonly Entry[]): Entry[] {
  return entries
    .map((entry) => ({ entry, rank: match(typed, entry.name, entry.also) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ entry }) => entry);
}

function useSavedFilterEntries(typed: string): Entry[] {
  const router = useRouter();
  const pathname = usePathname();
  const mayReview = useCan("reviewer");
  const { data } = useApi<Profile>("/profile", { refreshOnFocus: false });
  const base = mayReview && pathname !== "/posts" ? "/review" : "/posts";
  const entries = readSavedFilters(data?.preferences ?? {}).map(({ name, filter }) => ({
    id: `filter ${name}`,
    name,
    icon: ListFilter,
    detail: "Saved filter",
    also: "saved filter view",
    run: () => router.push(`${base}?${writeFilters(filter)}`),
  }));
  const found = best(typed, entries);
  return typed.trim() === "" ? found.slice(0, FILTERS_SHOWN) : found;
}

function useStreamEntries(typed: string): Entry[] {
  const router = useRouter();
  const { data } = useApi<{ items: Stream[] }>("/streams?limit=1000", { refreshOnFocus: false });
  if (typed.trim() === "") return [];
  const entries = (data?.items ?? []).map((stream) => ({
    id: `stream ${stream.id}`,
    name: streamName(stream),
    icon: Waves,
    run: () => router.push(`/streams/${stream.id}`),
  }));
  return best(typed, entries).slice(0, STREAMS_SHOWN);
}
