import type { Role } from "#components/shell/roles.ts";
import { words } from "#components/words/en.ts";

const w = words.settings;

export const settingsParts: readonly { href: string; label: string; least: Role }[] = [
  { href: "/settings", label: w.profile, least: "viewer" },
  { href: "/settings/keys", label: w.keys, least: "viewer" },
  { href: "/settings/members", label: w.members, least: "admin" },
  { href: "/settings/checks", label: w.checks, least: "viewer" },
  { href: "/settings/reviews", label: words.reviewLog.title, least: "viewer" },
  { href: "/settings/audit", label: w.audit.title, least: "viewer" },
  { href: "/settings/installation", label: w.installation.title, least: "admin" },
];
