import { words } from "#components/words/en.ts";

/** Label for the API's name of a check. */
export function nameOf(name: string): string {
  return words.checks.names[name] ?? name.replaceAll("_", " ");
}
