import { notFound } from "next/navigation";
import { ApiError } from "#lib/base/errors.ts";
import { MAX_ID } from "#lib/base/http/fields.ts";

/** The value of `reading`. Shows the page "not found" if it throws a 404. */
export async function orNotFound<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) notFound();
    throw error;
  }
}

/** An id in the address of a page. Shows the page "not found" if it is none. */
export function parseId(raw: string): number {
  const id = /^[1-9]\d{0,9}$/.test(raw) ? Number(raw) : 0;
  return id > 0 && id <= MAX_ID ? id : notFound();
}
