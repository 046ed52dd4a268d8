/** Read by the root layout on the server, written by the switch in the browser. */
export const THEME_COOKIE = "theme";

export type Theme = "light" | "dark";

/** The theme a cookie's (or profile's) value names, or undefined for the system's preference. */
export function parseTheme(value: string | null | undefined): Theme | undefined {
  return value === "light" || value === "dark" ? value : undefined;
}
