import { validationError } from "#lib/base/errors.ts";
import { checkHost } from "./guarded-fetch.ts";

const USUAL_PORT = /:(?:80|443)$/;

export type InstanceCheck = { ok: true; host: string } | { ok: false; reason: string };

/**
 * Returns the stored form of an instance: the host in lower case, IDN in ASCII, with a port only if it is allow-listed. Refuses
 * private hosts that are not allow-listed.
 *
 * @param text e.g. `Mastodon.Social`, `https://mastodon.social/tags/cats`
 */
export function normaliseInstance(text: string): InstanceCheck {
  const authority = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")
    .replace(/[/?#\\].*$/su, "");
  // `URL` converts the ideographic full stop to a dot.
  const parsed = URL.canParse(`https://${authority}`) ? new URL(`https://${authority}`) : null;
  if (parsed === null || /[@\s]/.test(authority)) return refuse(text);
  const hostname = parsed.hostname.replace(/\.$/, "");
  if (hostname === "") return refuse(text);
  const host = parsed.port === "" ? hostname : `${hostname}:${parsed.port}`;
  const check = checkHost(host);
  if (!check.ok) return check;
  // `checkHost` accepts ports 80 and 443; a stream uses the scheme's own.
  return check.host !== host || !USUAL_PORT.test(host)
    ? { ok: true, host: check.host }
    : { ok: true, host: check.host.replace(USUAL_PORT, "") };
}

function refuse(text: string): InstanceCheck {
  return { ok: false, reason: `"${text.trim().slice(0, 100)}" is not a host name.` };
}

/** @throws ApiError 422 when it is not a host, or private and not allowed */
export function requireInstance(text: string): string {
  const check = normaliseInstance(text);
  if (check.ok) return check.host;
  throw validationError([{ path: "instance", message: check.reason }]);
}
