import { featureNames } from "#lib/checks/learner/features.ts";
import type { RawRule } from "#lib/checks/results/raw-checks.ts";
import type { TextFacts } from "#lib/checks/rules/read-text.ts";
import type { PostTextRow } from "./sql.ts";

const DAY_MS = 86_400_000;

/** Days at the time of the post; undefined when the source does not tell it. */
export function accountAge({ created_at, author_created_at }: PostTextRow): number | undefined {
  return author_created_at ? (created_at.getTime() - author_created_at.getTime()) / DAY_MS : undefined;
}

/** Names of the features that the learner sees, also of rules that are switched off. */
export function featuresOf(row: PostTextRow, text: TextFacts | null, rules: readonly RawRule[]): string[] {
  return featureNames({
    html: row.content,
    text: [row.spoiler_text ?? "", row.plain_text].join("\n"),
    hashtags: row.hashtags,
    links: text?.links ?? [],
    stream: row.stream_hashtag,
    language: row.language,
    media: row.media_types,
    has_alt_text: row.has_alt_text,
    sensitive: row.sensitive,
    is_bot: row.author_is_bot,
    account_age_days: accountAge(row),
    is_reply: row.in_reply_to !== null,
    mentions: text?.mentions ?? 0,
    capitals_share: text === null || text.cased === 0 ? 0 : text.capitals / text.cased,
    exclamations: row.plain_text.split("!").length - 1,
    rules: rules.filter((rule) => rule.reason !== null).map((rule) => rule.name),
  });
}
