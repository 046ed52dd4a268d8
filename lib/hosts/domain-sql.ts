import { db } from "#lib/db.ts";

const FRESH_HOURS = 24;
const RETRY_HOURS = 1;

export interface KnownDomain {
  domain: string | null;
  home: string | null;
  fresh: boolean;
}

/** Null when the server was never asked. */
export async function knownDomain(host: string): Promise<KnownDomain | null> {
  const rows = await db.$queryRaw<KnownDomain[]>`
    SELECT domain, home, domain_at > now() - ${FRESH_HOURS} * interval '1 hour' AS fresh
      FROM host_state WHERE host = ${host} AND domain_at IS NOT NULL`;
  return rows[0] ?? null;
}

/**
 * @param options.corrects stored handles with the host's name become handles with the domain
 * @param options.retry asked again in an hour
 */
export async function storeDomain(
  host: string,
  found: { domain: string; home: string },
  options: { corrects?: boolean; retry?: boolean },
): Promise<void> {
  const domain = found.domain === host ? null : found.domain;
  const home = found.home === host ? null : found.home;
  const age = options.retry === true ? FRESH_HOURS - RETRY_HOURS : 0;
  const corrects = domain !== null && options.corrects === true;
  // One statement, so that a domain is never known without its correction.
  await db.$executeRaw`
    WITH before AS (
      SELECT domain FROM host_state WHERE host = ${host}
    ), stored AS (
      INSERT INTO host_state (host, domain, home, domain_at)
      VALUES (${host}, ${domain}, ${home}, now() - ${age}::int * interval '1 hour')
      ON CONFLICT (host) DO UPDATE SET domain = excluded.domain, home = excluded.home, domain_at = excluded.domain_at
    )
    INSERT INTO handle_change (before, after, host)
    SELECT '@' || ${host}, '@' || ${domain}::text, ${host}
     WHERE ${corrects}::boolean AND (SELECT domain FROM before) IS DISTINCT FROM ${domain}::text
    ON CONFLICT (before) DO UPDATE SET after = excluded.after, started = false`;
}

/** One account, whose own WebFinger names an actor on `host`. */
export async function addHandleChange(before: string, after: string, host: string): Promise<void> {
  await db.handle_change.createMany({ data: [{ before, after, host }], skipDuplicates: true });
}

/** The newest author of a domain; null without posts. */
export async function sampleAccount(domain: string): Promise<string | null> {
  const post = await db.post.findFirst({
    where: { instance: domain },
    orderBy: [{ created_at: "desc" }, { id: "desc" }],
    select: { author_username: true },
  });
  return post?.author_username ?? null;
}

/** Names that belong to another server: one that answered, a stream's, or one that another host speaks for. */
export async function takenHosts(host: string, names: string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT n.name FROM unnest(${names}::text[]) n (name)
     WHERE EXISTS (SELECT FROM stream s WHERE s.instance = n.name)
        OR EXISTS (SELECT FROM host_state h WHERE h.host = n.name AND h.state ->> 'last_status' IS NOT NULL)
        OR EXISTS (SELECT FROM host_state h WHERE h.host <> ${host} AND (h.domain = n.name OR h.home = n.name))`;
  return rows.map((row) => row.name);
}
