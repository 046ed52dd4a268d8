import { domainToASCII } from "node:url";

/**
 * `user@host` in lower case, from a handle or a profile address (`https://host/@user`,
 * `https://host/users/user`).
 */
export function authorKey(account: string): string | null {
  const text = account.trim();
  const profile = /^https?:\/\/([^/\s]+)\/(?:@|users\/|u\/)([^/@\s?#]+)\/?$/i.exec(text);
  const [user, host] = profile ? [profile[2], profile[1]] : text.replace(/^@/, "").split("@");
  if (!user || !host || /[\s/@]/.test(user) || text.replace(/^@/, "").split("@").length > 2) return null;
  const [name = "", port] = host.toLowerCase().split(":");
  const ascii = domainToASCII(name);
  if (ascii === "" || (port !== undefined && !/^\d{1,5}$/.test(port))) return null;
  return `${user.toLowerCase()}@${ascii}${port === undefined ? "" : `:${port}`}`;
}

const NOT_IN_USERNAME = /[\s@/\\?#<>"'`\p{C}]/u;

/** Accepts `user`, `@user`, `user@host`, `@user@host` and `user@host@host`. The host in lower case, IDN in ASCII, without a dot at its end. */
export function splitAccount(
  acct: string,
  asked: { host: string },
): { username: string; host: string } | null {
  const parts = acct.trim().replace(/^@+/, "").split("@");
  const username = parts[0] ?? "";
  const named = parts.at(-1) ?? "";
  const isHost = named !== "" && !/[/?#\\\s@]/.test(named);
  const host =
    parts.length === 1
      ? asked.host
      : isHost
        ? URL.parse(`https://${named}`)?.host.replace(/\.(?=:|$)/, "")
        : undefined;
  if (username === "" || [...username].length > 255 || NOT_IN_USERNAME.test(username) || !host) return null;
  return { username, host };
}
