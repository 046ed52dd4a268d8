import { createHash } from "node:crypto";
import { query } from "#tests/setup/database.ts";

export const BENCH_KEY = "slc_bench";

const HASHTAGS = `(CASE WHEN n % 10 = 0 THEN '{topical}' WHEN n % 1000 = 1 THEN '{rare,nature}'
  WHEN n % 2 = 1 THEN '{birds,nature}' ELSE '{birds,water}' END)::text[]`;

/**
 * Fills an empty database with `size` pending posts: 5 000 authors, 10 streams, one in ten topical today,
 * half about nature, one in a thousand rare, one in three with a picture. Triggers are off, because they
 * would take minutes at a million.
 */
export async function seed(url: string, size: number): Promise<void> {
  const hash = createHash("sha256").update(BENCH_KEY).digest("hex");
  await query(
    url,
    `SET session_replication_role = replica; SET synchronous_commit = off; SET maintenance_work_mem = '256MB';
    INSERT INTO member (id, email, name, role) VALUES (1, 'bench@example.org', 'Bench', 'admin');
    INSERT INTO api_key (name, prefix, last_characters, key_hash, scopes, created_by)
      VALUES ('bench', 'slc_', 'ench', '\\x${hash}', '{read,consume,review,manage}', 1);
    INSERT INTO stream (hashtag, hashtag_folded, instance, enable_scheduling)
      SELECT 'tag' || i, 'tag' || i, 'social.example', false FROM generate_series(1, 10) i;
    INSERT INTO topical_tag (hashtag, hashtag_folded, day_of_week)
      SELECT 'topical' || d, 'topical', d FROM (SELECT extract(dow FROM now() AT TIME ZONE 'UTC')::int AS d) today;
    INSERT INTO post (id, uri, url, content, plain_text, snippet, search, author_username, author_account, author_key,
                      instance, created_at, hashtags, hashtags_folded, media, media_count, stream_id, stream_hashtag,
                      approved, reviewed_at, approved_at, classified_at, language)
      SELECT n, 'https://social.example/users/a' || n % 5000 || '/statuses/' || n, 'https://social.example/@a' || n % 5000 || '/' || n,
             '<p>Post ' || n || ' about a morning at the weir, a heron and the light on the water. '
               || 'It is as long as posts are, with <a href="https://social.example/tags/birds">#birds</a> at its end.</p>',
             'Post ' || n || ' about a morning at the weir, a heron and the light on the water. It is as long as posts are, with #birds at its end.',
             'Post ' || n || ' about a morning at the weir, a heron and the light on the water. It is as long as posts are, with #birds at its end.',
             array_to_tsvector(ARRAY['post', 'morning', 'weir', 'heron', 'light', 'water', 'n' || n % 1000]),
             'a' || n % 5000, '@a' || n % 5000 || '@social.example', 'a' || n % 5000 || '@social.example', 'social.example',
             now() - (${size} - n) * interval '1 second' - interval '1 day',
             ${HASHTAGS},
             ${HASHTAGS},
             CASE WHEN n % 3 = 0 THEN '[{"type":"image","url":"https://social.example/m.jpg","description":"a heron"}]' ELSE '[]' END::jsonb,
             (n % 3 = 0)::int, 1 + n % 10, 'tag' || 1 + n % 10, true, now(), now() - (${size} - n) * interval '1 millisecond', now(), 'en'
        FROM generate_series(1, ${size}) n;
    SELECT setval(pg_get_serial_sequence('post', 'id'), ${size});
    INSERT INTO queue_entry (post_id, confirmed_at, approved_at, post_created_at, stream_id, author_key, tags, topics, missing)
      SELECT id, now(), approved_at, created_at, stream_id, author_key, hashtags_folded,
             CASE WHEN 'topical' = ANY (hashtags_folded) THEN 'topical' ELSE '' END, CASE WHEN media_count > 0 THEN 0 ELSE 1 END FROM post;
    INSERT INTO tally_delta (event, n, stream_id, state, media, host)
      SELECT 'fetched', count(*), stream_id, 'approved', media_count > 0, instance FROM post GROUP BY 3, 5, 6
      UNION ALL SELECT 'approved', count(*), stream_id, NULL, NULL, NULL FROM post GROUP BY 3
      UNION ALL SELECT NULL, count(*), stream_id, 'pending', NULL, NULL FROM post GROUP BY 3;
    SELECT compact_tally();
    SET session_replication_role = origin;`,
  );
  await query(url, "VACUUM ANALYZE");
  await query(url, "CHECKPOINT");
}

/** Resets all posts to pending and checkpoints, outside the measured time. */
export async function refill(url: string): Promise<void> {
  await query(
    url,
    `UPDATE queue_entry SET state = 'pending', lease_id = NULL, lease_key_id = NULL, lease_label = NULL,
       reserved_at = NULL, lease_expires_at = NULL, delivered_at = NULL, refusals = 0, not_before = NULL
     WHERE state <> 'pending' OR not_before IS NOT NULL`,
  );
  await query(url, "SELECT compact_tally()");
  await query(url, "VACUUM ANALYZE queue_entry, tally_delta");
  await query(url, "CHECKPOINT");
}
