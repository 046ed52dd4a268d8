import { notFound } from "next/navigation";
import { ApiError } from "#lib/base/errors.ts";
import { MAX_ID } from "#lib/base/http/fields.ts";

/** The value, or the page "not found" for a missing one. */
export async function found<Shown>(reading: Promise<Shown>): Promise<Shown> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) notFound();
    throw error;
  }
}

/** An id in the address of a page. */
export function idOf(raw: string): number {
  const id = /^[1-9]\d{0,9}$/.test(raw) ? Number(raw) : 0;
  return id > 0 && id <= MAX_ID ? id : notFound();
}
