"use client";
import { useRouter } from "next/navigation";
import { AuthorBlock } from "#components/author/author-block.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { authorHref } from "#lib/client/author-href.ts";
import type { PostFile } from "#lib/review/deck-schema.ts";
import { AuthorHistory } from "./author-history.tsx";

export function AuthorPanel({ post }: { post: PostFile }) {
  const router = useRouter();
  return (
    <Panel
      title="Author's record"
      actions={
        <Link href={authorHref(post.author_account)} className="text-13">
          Author page
        </Link>
      }
    >
      <div className="flex flex-col gap-3">
        <AuthorHistory history={post.author_history} blocked={post.author_blocked} />
        <AuthorBlock
          account={post.author_account}
          blocked={post.author_blocked}
          onSettled={() => router.refresh()}
        />
      </div>
    </Panel>
  );
}
