import { checkNames } from "#components/words.ts";

/** Label for the API's name of a check. */
export function nameOf(name: string): string {
  return checkNames[name] ?? name.replaceAll("_", " ");
}
