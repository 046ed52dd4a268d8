import { words } from "#components/words/en.ts";

/** Of a check as in the API. */
export function nameOf(name: string): string {
  return words.checks.names[name] ?? name.replaceAll("_", " ");
}
