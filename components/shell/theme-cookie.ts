/** Read by the root layout on the server, written in the browser. */
export const THEME_COOKIE = "theme";

export type Theme = "light" | "dark";

/** The theme of a cookie or profile value, or undefined for the system's preference. */
export function parseTheme(value: string | null | undefined): Theme | undefined {
  return value === "light" || value === "dark" ? value : undefined;
}
