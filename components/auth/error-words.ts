import { words } from "#components/words/en.ts";

const { errors, failed } = words.auth;

/** A refusal's code in words; a code nobody knows gets a sentence too. */
export function errorWords(code: string): string {
  return Object.hasOwn(errors, code) ? errors[code as keyof typeof errors] : failed;
}
