"use client";
import { Command, defaultFilter } from "cmdk";
import { FileText, Search, Waves } from "lucide-react";
import { useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import { useEffect, useState } from "react";
import { EmojiText } from "#components/post/emoji-text.tsx";
import { streamName } from "#components/streams/stream-name.ts";
import { useFocus } from "#components/ui/dialog.tsx";
import { plainText } from "#lib/client/plain-text.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { Stream } from "#lib/collect/stream-schema.ts";
import type { PostList } from "#lib/review/post-schema.ts";
import { useCommands, type Entry } from "./commands.tsx";

const STREAMS_SHOWN = 5;
const POSTS_SHOWN = 5;
/** Time without typing before a request. */
const PAUSE_MS = 150;

/** Values of what the server found. It is shown whatever its words are, behind the names of pages and commands. */
const FOUND = "found";
/** Below it the letters are scattered over a name's words. */
const LEAST_SCORE = 0.1;

const rank: typeof defaultFilter = (value, search, keywords) => {
  if (value.startsWith(FOUND)) return LEAST_SCORE;
  const score = defaultFilter(value, search, keywords);
  return score < LEAST_SCORE ? 0 : score;
};

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
          <span className="hidden-visually">
            <Dialog.Title>Search or run a command</Dialog.Title>
          </span>
          <PaletteBody onDone={() => onOpenChange(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteBody({ onDone }: { onDone: () => void }) {
  const router = useRouter();
  const [typed, setTyped] = useState("");
  const query = typed.trim();
  const { places, actions } = useCommands();
  const streams = useStreams(query);
  const asked = useSettled(query);
  const posts = useApi<PostList>(
    asked.length > 1 ? withQuery("/posts", { q: asked, limit: POSTS_SHOWN }) : null,
    { keepPrevious: true },
  );
  const pick = (run: () => void) => () => {
    onDone();
    run();
  };
  return (
    <Command
      label="Search or run a command"
      loop
      filter={rank}
      // A resting mouse would take the selection from the first hit.
      disablePointerSelection
    >
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
        <Command.Empty className="px-2 py-3 text-13 text-muted">Nothing found</Command.Empty>
        <Group heading="Go to" entries={places} pick={pick} />
        <Group heading="Commands" entries={actions} pick={pick} />
        <Group heading="Streams" entries={streams} pick={pick} />
        {query === "" ? null : (
          <Command.Group heading="Posts" className={group}>
            {posts.data?.items.map((post) => (
              <Command.Item
                key={post.id}
                value={`${FOUND} ${post.id}`}
                onSelect={pick(() => router.push(`/posts/${post.id}`))}
                className={line}
              >
                <FileText aria-hidden className="size-4 shrink-0 text-muted" />
                <bdi className="min-w-0 flex-1 truncate">
                  <EmojiText
                    text={plainText(post.content) || "(no text)"}
                    postId={post.id}
                    emojis={post.emojis}
                  />
                </bdi>
                <Detail>{post.author_account}</Detail>
              </Command.Item>
            ))}
            <Command.Item
              value={FOUND}
              onSelect={pick(() => router.push(withQuery("/posts", { q: query })))}
              className={line}
            >
              <Search aria-hidden className="size-4 shrink-0 text-muted" />
              <bdi className="min-w-0 flex-1 truncate">All posts with “{query}”</bdi>
            </Command.Item>
          </Command.Group>
        )}
      </Command.List>
      {posts.failure ? (
        <p role="status" className="px-3.5 pt-1 pb-3 text-13 text-muted">
          The search failed. Try again.
        </p>
      ) : null}
    </Command>
  );
}

const line =
  "flex min-h-control cursor-default items-center gap-2.5 rounded-md px-2 py-1 text-14 hover:bg-wash data-[selected=true]:bg-wash";
const group =
  "[&>[cmdk-group-heading]]:px-2 [&>[cmdk-group-heading]]:pt-2 [&>[cmdk-group-heading]]:pb-1 [&>[cmdk-group-heading]]:text-12 [&>[cmdk-group-heading]]:text-muted";

function Group({
  heading,
  entries,
  pick,
}: {
  heading: string;
  entries: readonly Entry[];
  pick: (run: () => void) => () => void;
}) {
  if (entries.length === 0) return null;
  return (
    <Command.Group heading={heading} className={group}>
      {entries.map(({ id, name, detail, also, icon: Icon, run }) => (
        <Command.Item
          key={id}
          value={name}
          keywords={[detail ?? "", also ?? ""]}
          onSelect={pick(run)}
          className={line}
        >
          <Icon aria-hidden className="size-4 shrink-0 text-muted" />
          <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
          {detail ? <Detail>{detail}</Detail> : null}
        </Command.Item>
      ))}
    </Command.Group>
  );
}

function Detail({ children }: { children: string }) {
  return (
    <span dir="auto" className="max-w-2/5 truncate text-12 text-muted">
      {children}
    </span>
  );
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function useStreams(query: string): Entry[] {
  const router = useRouter();
  const { data } = useApi<{ items: Stream[] }>("/streams?limit=1000", { refreshOnFocus: false });
  if (query === "") return [];
  return (data?.items ?? [])
    .filter((stream) => streamName(stream).toLowerCase().includes(query.toLowerCase()))
    .slice(0, STREAMS_SHOWN)
    .map((stream) => ({
      id: `stream ${stream.id}`,
      name: streamName(stream),
      icon: Waves,
      run: () => router.push(`/streams/${stream.id}`),
    }));
}
