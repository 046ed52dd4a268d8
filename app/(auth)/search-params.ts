/** What Next hands a page of its address. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** One parameter; of a repeated one the last, undefined when it is absent. */
export async function parameter(params: SearchParams, name: string): Promise<string | undefined> {
  const value = (await params)[name];
  return Array.isArray(value) ? value.at(-1) : value;
}
