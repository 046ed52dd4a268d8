"use client";
import { FileText, Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { plainText } from "#lib/client/plain-text.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { PostList } from "#lib/review/post-schema.ts";
import type { Entry } from "./commands.tsx";

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
  const searched = useApi<PostList>(
    asked.length > 1 ? withQuery("/posts", { q: asked, limit: SHOWN }) : null,
    { keepPrevious: true },
  );
  const go = (href: string) => () => router.push(href);
  if (typed.trim() === "") return { entries: [], note: null };
  const all: Entry = {
    id: "search posts",
    name: `All posts with “${typed.trim()}”`,
    icon: Search,
    run: go(withQuery("/posts", { q: typed.trim() })),
  };
  const entries = (searched.data?.items ?? []).map((post): Entry => {
    const text = plainText(post.content);
    return {
      id: `post ${post.id}`,
      name: text === "" ? "(no text)" : text,
      detail: post.author_account,
      post,
      icon: FileText,
      run: go(`/posts/${post.id}`),
    };
  });
  return { entries: [...entries, all], note: searched.failure ? "The search failed. Try again." : null };
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
