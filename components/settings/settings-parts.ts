import type { Role } from "#components/shell/roles.ts";

export const settingsParts: readonly { href: string; label: string; least: Role }[] = [
  { href: "/settings", label: "Profile", least: "viewer" },
  { href: "/settings/keys", label: "Keys", least: "viewer" },
  { href: "/settings/members", label: "Members", least: "admin" },
  { href: "/settings/checks", label: "Checks", least: "viewer" },
  { href: "/settings/reviews", label: "Review log", least: "viewer" },
  { href: "/settings/audit", label: "Audit log", least: "viewer" },
  { href: "/settings/installation", label: "Installation", least: "admin" },
];
