import type { ReactNode } from "react";
import { LineLink } from "#components/post/line-link.tsx";
import type { ListedPost } from "#lib/queue/overview-schema.ts";

/** `note` is shown below it in narrow layouts. */
export function PostCell({ post, note }: { post: ListedPost; note?: ReactNode }) {
  return (
    <>
      <LineLink
        id={post.post_id}
        author={post.author_account}
        hasMedia={post.has_attachments}
        text={post.content_snippet}
        emojis={post.emojis}
      />
      {note ? <span className="mt-0.5 block text-13 font-normal text-muted desk:hidden">{note}</span> : null}
    </>
  );
}
