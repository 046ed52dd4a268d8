import { env } from "#lib/env.ts";
import packageJson from "../../package.json" with { type: "json" };

/** How we name ourselves to other servers: `Sluice/<version> (+<contact URL>)` (fediverse.md §3, manners). */
export function userAgent(): string {
  const contact = (env().CONTACT_URL || env().PUBLIC_URL || "").replace(/[^\x21-\x7e]|[()]/g, "");
  const product = `Sluice/${packageJson.version}`;
  return contact === "" ? product : `${product} (+${contact})`;
}
