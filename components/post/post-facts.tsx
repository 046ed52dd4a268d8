import {
  Ban,
  Hash,
  Heart,
  Languages,
  MessageCircle,
  Minus,
  Repeat2,
  ShieldCheck,
  TriangleAlert,
} from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { formatCompact, formatCount } from "#components/format.ts";
import { plainText } from "#lib/client/plain-text.ts";
import type { Post } from "#lib/review/post-schema.ts";
import { readConsent, type ConsentSign } from "./read-consent.ts";

/** Hashtags that the text does not show, and all blocked ones. */
export function tagsBesides(
  html: string,
  tags: readonly string[],
  blocked: readonly string[],
): readonly string[] {
  const shown = new Set(
    plainText(html)
      .match(/#[^\s#]+/gu)
      ?.map(folded) ?? [],
  );
  return tags.filter((tag) => blocked.includes(tag) || !shown.has(folded(tag)));
}

/** Folded for comparison, without trailing punctuation. */
function folded(tag: string): string {
  return tag
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^#|[^\p{L}\p{M}\p{N}_]+$/gu, "");
}

export function PostHashtags({ tags, blocked }: { tags: readonly string[]; blocked: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Hashtags" className="flex min-w-0 flex-wrap items-center gap-1">
      {tags.map((tag) => {
        const isBlocked = blocked.includes(tag);
        const Icon = isBlocked ? Ban : Hash;
        return (
          <li
            key={tag}
            className={cn(
              "inline-flex h-6 max-w-full items-center gap-0.5 rounded-sm px-1.5 text-13 [&_svg]:size-3.5 [&_svg]:shrink-0",
              isBlocked ? "bg-reject-quiet text-reject" : "bg-wash text-text [&_svg]:text-muted",
            )}
          >
            <Icon aria-hidden />
            <span dir="auto" className={cn("truncate", isBlocked && "line-through")}>
              {tag.replace(/^#/, "")}
            </span>
            {isBlocked ? <span className="hidden-visually"> (blocked)</span> : null}
          </li>
        );
      })}
    </ul>
  );
}

export function PostCounters({ post }: { post: Pick<Post, "boosts" | "likes" | "replies" | "language"> }) {
  return (
    <ul className="flex flex-wrap items-center gap-x-4 gap-y-1 text-13 text-muted">
      <Counter icon={<Repeat2 aria-hidden />} label="Boosts" value={post.boosts} />
      <Counter icon={<Heart aria-hidden />} label="Likes" value={post.likes} />
      <Counter icon={<MessageCircle aria-hidden />} label="Replies" value={post.replies} />
      <li className="flex items-center gap-1" title="Language">
        <Languages aria-hidden className="size-4" />
        <span className="hidden-visually">Language: </span>
        {languageName(post.language)}
      </li>
    </ul>
  );
}

function Counter({ icon, label, value }: { icon: ReactNode; label: string; value: number }) {
  return (
    <li className="tabular flex items-center gap-1 [&_svg]:size-4" title={`${label}: ${formatCount(value)}`}>
      {icon}
      <span className="hidden-visually">{label}: </span>
      {formatCompact(value)}
    </li>
  );
}

const languages = new Intl.DisplayNames("en", { type: "language" });

/** "de" → "German". Unknown codes are unchanged. */
export function languageName(code: string | null): string {
  if (code === null) return "Language not stated";
  try {
    return languages.of(code) ?? code;
  } catch {
    return code;
  }
}

const consentSigns: Record<ConsentSign["tone"], { icon: ReactNode; look: string }> = {
  approve: { icon: <ShieldCheck aria-hidden />, look: "[&_svg]:text-approve" },
  neutral: { icon: <Minus aria-hidden />, look: "text-muted" },
  warn: { icon: <TriangleAlert aria-hidden />, look: "[&_svg]:text-warn" },
  reject: { icon: <Ban aria-hidden />, look: "font-medium [&_svg]:text-reject" },
};

/** The server that last showed the post, and when. */
export function SeenAtSource({
  post,
}: {
  post: Pick<Post, "post_id" | "instance" | "confirmed_at" | "confirmed_by">;
}) {
  const home = URL.canParse(post.post_id) ? new URL(post.post_id).host : post.instance;
  const { confirmed_at: at, confirmed_by: by } = post;
  const text =
    at === null
      ? `Not yet seen at ${home}`
      : by === null || by === home
        ? `Seen at ${home}`
        : `Confirmed by ${by}; ${home} answers no strangers.`;
  return (
    <p className="text-13 wrap-anywhere text-muted">
      {text} {at === null ? null : <RelativeTime at={at} />}
    </p>
  );
}

/** Consent signals of the author. @param warnings only those against boosting; nothing if there are none */
export function ConsentList({
  consent,
  warnings = false,
}: {
  consent: Record<string, unknown>;
  warnings?: boolean;
}) {
  const seen = readConsent(consent).filter(({ tone }) => !warnings || tone === "warn" || tone === "reject");
  if (warnings && seen.length === 0) return null;
  const shown: ConsentSign[] = seen.length === 0 ? [{ tone: "neutral", text: "No objection found" }] : seen;
  return (
    <ul aria-label="Consent" className="flex flex-col gap-1 text-13">
      {shown.map((sign) => (
        <li
          key={sign.text}
          className={cn(
            "flex items-start gap-1.5 [&_svg]:mt-px [&_svg]:size-4 [&_svg]:shrink-0",
            consentSigns[sign.tone].look,
          )}
        >
          {consentSigns[sign.tone].icon}
          <span className="min-w-0 wrap-anywhere">{sign.text}</span>
        </li>
      ))}
    </ul>
  );
}
