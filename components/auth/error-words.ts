import { words } from "#components/words/en.ts";

const { errors, failed } = words.auth;

export function errorWords(code: string): string {
  return Object.hasOwn(errors, code) ? errors[code as keyof typeof errors] : failed;
}
