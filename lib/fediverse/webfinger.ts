import { splitAccount } from "./account.ts";
import { originFor } from "./guarded-fetch.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { readObjects, readObject, readText } from "./lenient.ts";
import { parseWebUrl } from "./urls.ts";
import { readJson } from "./ask-server.ts";
import { isLasting } from "./remote-error.ts";

export interface AccountName {
  username: string;
  /** With a non-default port. */
  host: string;
}

export interface NamedAccount {
  account: AccountName;
  actor_host: string;
}

/**
 * Asks WebFinger (RFC 7033) as Mastodon does: for `acct:user@host`, and the link `self` to the ActivityPub actor.
 *
 * @param at the server to ask
 * @returns null when the server answered, and names no actor for this account
 * @throws RemoteError when the server gave no answer
 */
export async function askWebFinger(
  account: AccountName,
  request: HostRequest,
  at = account.host,
): Promise<NamedAccount | null> {
  const name = `${account.username}@${account.host}`;
  const url = `${originFor(at)}/.well-known/webfinger?resource=${encodeURIComponent(`acct:${name}`)}`;
  try {
    const response = await request(url, {
      accept: "application/jrd+json, application/json",
      maxBytes: 256 * 1024,
    });
    return readAnswer(readJson(response, { host: at, subject: `@${name}` }), account);
  } catch (error) {
    if (isLasting(error)) return null;
    throw error;
  }
}

function readAnswer(json: unknown, asked: AccountName): NamedAccount | null {
  const document = readObject(json);
  const self = readObjects(document?.["links"], 100).find(
    (link) => link["rel"] === "self" && isActivity(readText(link["type"], 200)),
  );
  const actor = parseWebUrl(readText(self?.["href"], 2048));
  if (actor === null) return null;
  const subject = readText(document?.["subject"], 600).trim();
  const account = subject === "" ? asked : splitAccount(subject.replace(/^acct:/i, ""), asked);
  return account === null ? null : { account, actor_host: actor.host };
}

function isActivity(type: string): boolean {
  return /^application\/(?:activity\+json|ld\+json)/i.test(type.trim());
}

export function sameAccount(a: AccountName, b: AccountName): boolean {
  return a.host === b.host && a.username.toLowerCase() === b.username.toLowerCase();
}
