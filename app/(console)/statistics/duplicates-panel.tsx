import type { ReactNode } from "react";
import { FailedPostLine, matchesItself, matchesItselfText } from "#components/queue/failed-post.tsx";
import type { Role } from "#components/shell/roles.ts";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { EmptyState, Notice } from "#components/ui/states.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { readPreferences } from "#lib/client/desk/preferences.ts";
import type { FailedPost } from "#lib/review/failed-schema.ts";
import { listFailedPosts } from "#lib/review/failed-posts.ts";
import { PostMoves } from "../queue/error-groups.tsx";

/** Posts that a bot reported as duplicates, the newest first. */
export async function DuplicatesPanel() {
  const [{ role, preferences }, { items }] = await Promise.all([
    requireMember(),
    listFailedPosts({ duplicates: true, limit: 100 }),
  ]);
  const { cover } = readPreferences(preferences);
  return (
    <Panel
      id="duplicates"
      title="Reported duplicates"
      description="Posts with a picture that a bot found among those already boosted."
      flush
    >
      {items.length === 0 ? (
        <EmptyState title="No duplicates reported" className="py-8" />
      ) : (
        <ul className="divide-y divide-line">
          {items.map((post) => (
            <Duplicate key={post.id} post={post} cover={cover} role={role} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Texts for known `match_type`s of bots. Others are shown unchanged. */
const matchTypes: Readonly<Record<string, string>> = {
  dhash: "looks alike",
  phash: "looks alike",
  sha256: "same file",
  url: "same address",
};

/** Both pictures are covered if one of the posts is, because they are probably the same. */
function Duplicate({ post, cover, role }: { post: FailedPost; cover: Cover; role: Role }) {
  const { id, matched, error_details: details } = post;
  const isItself = matchesItself(post);
  const type = details?.match_type;
  const pictures = (
    <div className="grid w-full grid-cols-2 gap-3 desk:w-100">
      <Picture src={`/media/duplicate/${id}/current`} name="Picture of this post" />
      <Picture src={`/media/duplicate/${id}/matched`} name="Picture that it was found to equal">
        {isItself || matched === null ? null : (
          <Link href={`/posts/${matched.post_id}`} tone="muted" className="wrap-anywhere">
            <bdi>Post by {matched.author_account}</bdi>
          </Link>
        )}
      </Picture>
    </div>
  );
  return (
    <li className="flex flex-wrap gap-x-6 gap-y-3 px-4 py-4 text-13">
      <div className="min-w-0 flex-1 basis-72 space-y-3">
        <FailedPostLine post={post} />
        {isItself ? <Notice tone="info">{matchesItselfText}</Notice> : null}
        {typeof type === "string" ? (
          <p className="text-muted">The bot says: {matchTypes[type] ?? type}</p>
        ) : null}
        <div className="flex flex-wrap gap-2">
          <PostMoves
            postId={id}
            role={role}
            labels={{ requeue: "Not a duplicate, requeue", reject: "A duplicate, reject" }}
          />
        </div>
      </div>
      {cover !== "off" && (post.media_covered || matched?.media_covered === true) ? (
        <details>
          <summary className="mb-3 min-h-6 w-fit font-medium">Show covered pictures</summary>
          {pictures}
        </details>
      ) : (
        pictures
      )}
    </li>
  );
}

/** A picture, or its name if it cannot be loaded. */
function Picture({ src, name, children }: { src: string; name: string; children?: ReactNode }) {
  return (
    <figure className="min-w-0">
      <img
        src={src}
        alt={name}
        loading="lazy"
        className="aspect-4/3 w-full rounded-md border border-line bg-wash object-contain text-13"
      />
      <figcaption className="mt-1 text-12 text-muted">
        {name} {children}
      </figcaption>
    </figure>
  );
}
