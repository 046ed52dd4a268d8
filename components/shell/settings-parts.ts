import type { Role } from "./roles.ts";

export const settingsParts: readonly { href: string; label: string; minRole: Role }[] = [
  { href: "/settings", label: "Me", minRole: "viewer" },
  { href: "/settings/members", label: "Team", minRole: "admin" },
  { href: "/settings/keys", label: "Bots", minRole: "viewer" },
  { href: "/settings/checks", label: "Checks", minRole: "admin" },
  { href: "/settings/log", label: "Log", minRole: "viewer" },
  { href: "/settings/installation", label: "Installation", minRole: "admin" },
];
