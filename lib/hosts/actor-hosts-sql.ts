import { db } from "#lib/db.ts";

const DAYS_NAMED = 7;
const DAYS_DENIED = 1;
const HOURS_UNANSWERED = 1;

export interface ActorHostRow {
  /** `user@host` in lower case. */
  account: string;
  /** null if WebFinger names no actor. */
  actor_host: string | null;
  /** False when the account's server has never answered. */
  answered: boolean;
  due: boolean;
}

export function readActorHosts(accounts: string[]): Promise<ActorHostRow[]> {
  return db.$queryRaw<ActorHostRow[]>`
    SELECT account, actor_host, answered_at IS NOT NULL AS answered, due_at <= now() AS due
      FROM account_host WHERE account = ANY (${accounts}::text[])`;
}

export async function noteActorHost(account: string, actorHost: string | null): Promise<void> {
  const days = actorHost === null ? DAYS_DENIED : DAYS_NAMED;
  await db.$executeRaw`
    INSERT INTO account_host (account, actor_host, answered_at, due_at)
    VALUES (${account}, ${actorHost}, now(), now() + ${days}::int * interval '1 day')
    ON CONFLICT (account) DO UPDATE
      SET actor_host = excluded.actor_host, answered_at = excluded.answered_at, due_at = excluded.due_at`;
}

/** Keeps an earlier answer. */
export async function noteNoAnswer(account: string): Promise<void> {
  await db.$executeRaw`
    INSERT INTO account_host (account, due_at) VALUES (${account}, now() + ${HOURS_UNANSWERED}::int * interval '1 hour')
    ON CONFLICT (account) DO UPDATE SET due_at = excluded.due_at`;
}
