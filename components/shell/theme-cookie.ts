/** Read by the root layout. */
export const THEME_COOKIE = "theme";

export type Theme = "light" | "dark";

/** Undefined: the system's preference. */
export function parseTheme(value: string | null | undefined): Theme | undefined {
  return value === "light" || value === "dark" ? value : undefined;
}
