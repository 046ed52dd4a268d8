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
