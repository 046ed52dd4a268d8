"use client";
import { consentSigns } from "#components/post/post-facts.tsx";
import { readConsent } from "#components/post/read-consent.ts";
import { Badge } from "#components/ui/badge.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { words } from "#components/words/en.ts";
import type { PreviewPost, StreamPreview } from "#lib/streams/preview-schema.ts";

const w = words.streamPreview;

export function PreviewPosts({ preview }: { preview: StreamPreview }) {
  const { posts, read } = preview;
  if (posts.length === 0) return <p className="text-13 text-muted">{read === 0 ? w.noPosts : w.noneKept}</p>;
  return (
    <section aria-labelledby="preview-posts">
      <h3 id="preview-posts" className="text-13 font-medium">
        {w.posts}
      </h3>
      <p className="text-12 text-muted">{w.postsHint}</p>
      <ol
        tabIndex={0}
        aria-labelledby="preview-posts"
        className="mt-2 max-h-96 divide-y divide-line overflow-y-auto rounded-md border border-line"
      >
        {posts.map((post) => (
          <Line key={post.url} post={post} />
        ))}
      </ol>
    </section>
  );
}

function Line({ post }: { post: PreviewPost }) {
  const described = post.media.filter(({ described }) => described).length;
  return (
    <li className="px-3 py-2 text-13">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <bdi className="font-medium wrap-anywhere">{post.author_account}</bdi>
        <span className="text-12 text-muted">
          <RelativeTime at={post.created_at} />
        </span>
      </p>
      {post.spoiler_text === null ? (
        <Text post={post} />
      ) : (
        <details>
          <summary dir="auto" className="min-h-6 cursor-pointer font-medium wrap-anywhere">
            {w.warning}: {post.spoiler_text}
          </summary>
          <Text post={post} />
        </details>
      )}
      <p className="mt-1 flex flex-wrap gap-1">
        <Badge>{post.language === null ? w.noLanguage : w.language(post.language)}</Badge>
        {post.media.length > 0 ? <Badge>{w.media(post.media.length, described)}</Badge> : null}
        {post.sensitive ? <Badge tone="warn">{w.sensitive}</Badge> : null}
        <Consent post={post} />
      </p>
    </li>
  );
}

function Text({ post }: { post: PreviewPost }) {
  return (
    <p dir="auto" lang={post.language ?? undefined} className="wrap-anywhere">
      {post.content_snippet}
    </p>
  );
}

function Consent({ post }: { post: PreviewPost }) {
  const signs = readConsent(post.consent);
  if (signs.length === 0) return <Badge tone="approve">{w.noRefusal}</Badge>;
  return signs.map(({ tone, text }) => (
    <Badge key={text} tone={tone} icon={consentSigns[tone].icon} title={text}>
      {text}
    </Badge>
  ));
}
