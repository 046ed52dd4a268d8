import NextLink from "next/link";
import { coverOf } from "#components/post/covered.ts";
import { EmojiText } from "#components/post/emoji-text.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { MediaThumb, type Cover } from "#components/ui/media-thumb.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import type { UpcomingPost } from "#lib/posts/upcoming-schema.ts";

const w = words.home;

/** Pictures of the next posts, covered where the desk covers them. */
export function UpcomingPosts({ posts, cover }: { posts: readonly UpcomingPost[]; cover: Cover }) {
  return (
    <Panel
      title={w.upcoming}
      description={w.upcomingHint}
      actions={
        <Link href="/queue" className="text-13">
          {w.upcomingAll}
        </Link>
      }
    >
      {posts.length === 0 ? (
        <EmptyState title={w.upcomingEmpty} className="py-4" />
      ) : (
        <ol className="grid grid-cols-3 gap-2 min-[30rem]:grid-cols-6 wide:grid-cols-3">
          {posts.map((post, index) => (
            <li key={post.post_id} className="relative min-w-0">
              <Tile post={post} cover={cover} />
              <NextLink
                href={`/posts/${post.post_id}`}
                prefetch={false}
                aria-label={w.upcomingPost(
                  index + 1,
                  post.author_account,
                  post.content_snippet.slice(0, 120),
                )}
                className="absolute inset-0 rounded-md focus-visible:-outline-offset-2"
              />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

/** Inert, because the link covers it. */
function Tile({ post, cover }: { post: UpcomingPost; cover: Cover }) {
  const index = post.media_attachments.findIndex(({ type }) => type !== "audio");
  const medium = post.media_attachments[index];
  return (
    <div inert>
      {medium === undefined ? (
        // Lines below the clamp would show in a square that is higher than they are.
        <div className="aspect-square overflow-hidden rounded-md border border-line bg-wash p-2">
          <p dir="auto" className="line-clamp-5 text-12 wrap-anywhere">
            <EmojiText text={post.content_snippet} postId={post.post_id} emojis={post.emojis} />
          </p>
        </div>
      ) : (
        <MediaThumb
          postId={post.post_id}
          index={index}
          media={{ ...medium, width: 1, height: 1 }}
          cover={coverOf(post, cover)}
          size={320}
        />
      )}
    </div>
  );
}
