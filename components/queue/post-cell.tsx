import { ImageIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "#components/ui/link.tsx";
import { words } from "#components/words/en.ts";
import type { ListedPost } from "#lib/queue/overview-schema.ts";

/** A post in one line: who, and how it begins. Leads to its page. `note` stands under it where there are no columns. */
export function PostCell({ post, note }: { post: ListedPost; note?: ReactNode }) {
  return (
    <>
      <PostLink post={post} />
      {note ? <span className="mt-0.5 block text-13 font-normal text-muted desk:hidden">{note}</span> : null}
    </>
  );
}

function PostLink({ post }: { post: ListedPost }) {
  return (
    <Link
      href={`/posts/${post.post_id}`}
      tone="plain"
      className="block max-w-full font-normal max-desk:line-clamp-2 desk:truncate"
      title={post.content_snippet}
    >
      <span className="font-medium">{post.author_account}</span>
      {post.has_attachments ? (
        <ImageIcon
          role="img"
          aria-label={words.media.hasMedia}
          className="mx-1.5 inline size-3.5 align-[-2px] text-muted"
        />
      ) : (
        " "
      )}
      <span dir="auto" className="text-muted">
        {post.content_snippet}
      </span>
    </Link>
  );
}
