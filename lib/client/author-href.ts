/** `@user@host` → `/authors/user@host` */
export function authorHref(account: string): string {
  const name = encodeURIComponent(account.replace(/^@/, ""));
  return `/authors/${name.replaceAll("%40", "@").replaceAll("%3A", ":")}`;
}
