export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The last of repeated values counts. */
export async function parameter(params: SearchParams, name: string): Promise<string | undefined> {
  const value = (await params)[name];
  return Array.isArray(value) ? value.at(-1) : value;
}
