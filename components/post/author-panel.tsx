"use client";
import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { AuthorStanding } from "#components/author/author-standing.tsx";
import type { CardMarks } from "#components/review/use-author-actions.ts";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { words } from "#components/words/en.ts";
import { authorHref } from "#lib/client/author-href.ts";
import type { PostFile } from "#lib/review/deck-schema.ts";
import { AuthorHistory } from "./author-history.tsx";

const w = words.post;

export function AuthorPanel({ post }: { post: PostFile }) {
  const router = useRouter();
  const marks = useMemo(() => pageMarks(() => router.refresh()), [router]);
  return (
    <Panel
      title={w.authorHere}
      actions={
        <Link href={authorHref(post.author_account)} className="text-13">
          {words.postPage.authorPage}
        </Link>
      }
    >
      <div className="flex flex-col gap-3">
        <AuthorHistory history={post.author_history} blocked={post.author_blocked} />
        <AuthorStanding
          account={post.author_account}
          standing={post.author_history.standing}
          blocked={post.author_blocked}
          marks={marks}
        />
      </div>
    </Panel>
  );
}

/** The server renders the page again, so no marks are needed. */
function pageMarks(settled: () => void): CardMarks {
  return {
    standing: () => undefined,
    blocked: () => undefined,
    blockedHashtag: () => undefined,
    settled,
  };
}
