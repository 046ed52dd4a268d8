import type { Role } from "./roles.ts";

export const settingsParts: readonly { href: string; label: string; least: Role }[] = [
  { href: "/settings", label: "Me", least: "viewer" },
  { href: "/settings/members", label: "Team", least: "admin" },
  { href: "/settings/keys", label: "Bots", least: "viewer" },
  { href: "/settings/checks", label: "Checks", least: "admin" },
  { href: "/settings/log", label: "Log", least: "viewer" },
  { href: "/settings/installation", label: "Installation", least: "admin" },
];
