import { db } from "#lib/base/db.ts";

/** Columns that may hold content of a post or a quotation of it. `plant()` writes a word into each of them. */
export const contentColumns = [
  "learnt.features",
  "picture_hash.source",
  "post.content",
  "post.plain_text",
  "post.snippet",
  "post.search",
  "post.author_display_name",
  "post.author_avatar_url",
  "post.hashtags",
  "post.hashtags_folded",
  "post.related",
  "post.media",
  "post.spoiler_text",
  "post.in_reply_to",
  "post.poll",
  "post.quote",
  "post.card",
  "post.emojis",
  "post.reviewer_notes",
  "post.ai_reasons",
  "post.ai_checks",
  "post.text_reason",
  "post_check.rules",
  "post_check.learner_reasons",
  "post_check.pictures",
  "post_check.remote",
  "post_event.note",
  "post_event.details",
  "post_event.before",
  "queue_entry.tags",
  "queue_entry.topics",
  "queue_entry.related",
  "queue_entry.error_reason",
  "queue_entry.error_details",
  "reported_opt_out.reason",
];

/**
 * The other columns that can hold text, with the reason why no post's content gets into them. A column of neither list
 * fails a test: decide whether it can quote a post, and plant it if so.
 */
export const otherColumns: Record<string, string> = {
  "ids, names, addresses and server names of posts, which stay": `
    post.uri post.url post.author_username post.author_account post.author_key post.author_url post.instance
    post.confirmed_by post.stream_hashtag post.stream_hashtag_folded sighting.remote_id source_check.host
    queue_entry.author_key
    reported_opt_out.author_key
    tally_delta.host tally.key hold_change.patterns`,
  "constants of the code": `
    post.visibility post.auto_reject_reason post.consent post.vision_category post_event.source post_event.action
    post_event.from_state post_event.to_state post_check.picture_state post_check.remote_state queue_entry.state
    tombstone.reason fetch_run.dropped
    reported_opt_out.resolution
    hold_change.pattern_type
    learnt.warned tally.kind
    tally.metric tally_delta.reason tally_delta.event tally_delta.was tally_delta.state
    audit_event.source audit_event.action member.role invitation.kind invitation.role
    alert.rule mail.kind stream.last_error_kind reject_reason.about`,
  "codes of languages": "post.language",
  ids: `
    mail.alert_ids`,
  "facts about changes; plant() removes a block whose note could quote a post": `
    audit_event.subject audit_event.before audit_event.after decision.result`,
  "names of members and keys": `
    post.reviewed_by post_event.actor audit_event.actor queue_entry.lease_label
    review_lease.holder review_lease.skipped
    tally_delta.reviewer`,
  "hashes, and numbers of the checks": `
    post_check.remote_key learnt_count.authors tombstone.uri_hmac`,
  "texts that people wrote about no particular post, and settings": `
    blocked_hashtag.hashtag blocked_hashtag.hashtag_folded blocked_hashtag.notes blocked_user.account_identifier
    blocked_user.pattern_type blocked_user.notes
    reject_reason.label
    stream.hashtag stream.hashtag_folded stream.instance stream.platform
    stream.consent_policy stream.languages topical_tag.hashtag
    topical_tag.hashtag_folded topical_tag.month_day`,
  "errors of servers and programs": `
    fetch_run.error stream.last_error`,
  "state of servers, accounts, keys and the installation": `
    setting.name setting.value
    schema_migration.name schema_migration.checksum
    api_key.name api_key.prefix api_key.last_characters api_key.key_hash api_key.scopes api_key.stream_ids
    host_state.host host_state.state host_state.software host_state.token host_state.domain
    installation.tombstone_secret installation.feature_secret invitation.token_hash
    alert.title invitation.mail_token_hash mail.address
    invitation.email member.email member.name member.password_hash member.linked_accounts member.preferences
    session.browser session.address_prefix sign_in_attempt.subject stream.cursor`,
};

/** Columns of all tables whose type can hold text, as "table.column". */
export async function textColumns(): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT c.relname || '.' || a.attname AS name
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      JOIN pg_type t ON t.oid = a.atttypid
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
       AND (t.typcategory IN ('S', 'A', 'E') OR t.typname IN ('json', 'jsonb', 'bytea', 'tsvector', 'hstore', 'xml'))
     ORDER BY 1`;
  return rows.map(({ name }) => name);
}
