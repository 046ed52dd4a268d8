"use client";
import { FileText, Search, UserRound } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { reasonName } from "#components/statistics/reason-name.ts";
import { words } from "#components/words/en.ts";
import { authorHref } from "#lib/client/author-href.ts";
import { plainText } from "#lib/client/plain-text.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { Lookup } from "#lib/posts/lookup-schema.ts";
import type { Post, PostList } from "#lib/posts/schema.ts";
import type { Entry } from "./commands.tsx";
import { isAddress } from "./match.ts";

const w = words.palette;
/** Time without typing before a request. */
const PAUSE_MS = 150;
const SHOWN = 5;

export interface Finding {
  entries: Entry[];
  /** Shown without results, or beside them. */
  note: string | null;
}

export function useFind(typed: string): Finding {
  const router = useRouter();
  const asked = useSettled(typed.trim());
  const address = isAddress(asked);
  const found = useApi<Lookup>(address ? withQuery("/lookup", { address: asked }) : null);
  const searched = useApi<PostList>(
    !address && asked.length > 1 ? withQuery("/posts", { q: asked, limit: SHOWN }) : null,
    { keepPrevious: true },
  );
  const go = (href: string) => () => router.push(href);
  if (typed.trim() === "") return { entries: [], note: null };
  if (isAddress(typed)) {
    if (found.failure) return { entries: [], note: w.failed };
    if (asked !== typed.trim() || found.data === undefined) return { entries: [], note: w.looking };
    return lookedUp(found.data, go);
  }
  const all: Entry = {
    id: "search posts",
    name: w.searchPosts(typed.trim()),
    icon: Search,
    run: go(withQuery("/posts", { q: typed.trim() })),
  };
  const posts = address ? [] : (searched.data?.items ?? []);
  const entries = posts.map((post) => postEntry(post, plainText(post.content), go(`/posts/${post.id}`)));
  return { entries: [...entries, all], note: searched.failure ? w.failed : null };
}

function lookedUp({ post, author, removed }: Lookup, go: (href: string) => () => void): Finding {
  const entries: Entry[] = [];
  if (post) entries.push(postEntry(post, post.snippet, go(`/posts/${post.id}`)));
  if (author) {
    entries.push({
      id: `author ${author.account}`,
      name: w.author(author.account),
      detail: author.display_name ?? "",
      icon: UserRound,
      run: go(authorHref(author.account)),
    });
  }
  if (removed) return { entries, note: w.removed(removed.kind, reasonOf(removed), removed.at.slice(0, 10)) };
  if (author && !author.known) return { entries, note: w.unknownAuthor(author.account) };
  return { entries, note: entries.length > 0 ? null : w.unknownPost };
}

function reasonOf({ kind, reason }: NonNullable<Lookup["removed"]>): string {
  if (kind === "refused") return reasonName(reason);
  const deletions: Record<string, string> = w.deletions;
  return deletions[reason] ?? reason;
}

function postEntry(
  post: Pick<Post, "id" | "author_account" | "emojis">,
  text: string,
  run: () => void,
): Entry {
  return {
    id: `post ${post.id}`,
    name: text === "" ? w.noText : text,
    detail: post.author_account,
    post,
    icon: FileText,
    run,
  };
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
